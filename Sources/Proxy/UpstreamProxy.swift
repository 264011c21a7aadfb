internal import FCM
internal import PushCore
internal import WebSocket

/// Another proxy, through which Pushpit passes on connections to hosts that it does not imitate.
package struct UpstreamProxy: Sendable, Equatable {
    /// Its host and port.
    package let address: String
    /// The user and the password in Base64; nil without them.
    let credentials: String?

    /// The hosts that are reached without it.
    private let exceptions: ProxyExceptions

    /// Why a URL is refused. The reason is the end of a sentence that begins with the URL.
    package struct Problem: Error {
        package let reason: String
    }

    /// - Parameter url: as in `HTTPS_PROXY`: `http://user:password@host:port`, or without the scheme, the user or the
    ///   port.
    /// - Parameter exceptions: a list as in `NO_PROXY`.
    package init(_ url: String, except exceptions: String? = nil) throws(Problem) {
        self.exceptions = ProxyExceptions(exceptions)
        var rest = url[...]
        if let colon = url.firstIndex(of: ":"), url[colon...].hasPrefix("://") {
            guard url[..<colon].lowercased() == "http" else {
                throw Problem(reason: "is not a plain HTTP proxy (without TLS): its URL has to begin with http://")
            }
            rest = url[colon...].dropFirst(3)
        }
        rest = rest.prefix { $0 != "/" }
        var user: String?
        if let at = rest.lastIndex(of: "@") {
            user = PercentCode.decode(rest[..<at].utf8, isForm: false)
            rest = rest[rest.index(after: at)...]
        }
        let authority = rest.hasSuffix("]") || !rest.contains(":") ? "\(rest):80" : String(rest)
        guard let target = try? RelayTarget(authority) else { throw Problem(reason: "has no valid host and port") }
        address = target.description
        credentials = user.map { Base64.encode(Array($0.utf8)) }
    }

    /// Whether connections to this target go through the proxy.
    package func isUsed(for target: RelayTarget) -> Bool { !exceptions.contains(target) }

    /// The request for a connection to this target.
    package func request(for target: RelayTarget) -> [UInt8] {
        let authorization = credentials.map { "Proxy-Authorization: Basic \($0)\r\n" } ?? ""
        return Array("CONNECT \(target) HTTP/1.1\r\nHost: \(target)\r\n\(authorization)\r\n".utf8)
    }
}

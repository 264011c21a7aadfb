internal import EventLoop
internal import HTTPCore
package import TLS

/// The host names of this gateway: the loopback names and addresses, the names of its certificates, and the names that
/// the user has given.
///
/// A request under another name may come from a web page whose host name resolves to this machine (DNS rebinding).
package final class HostNames {
    private let names: Set<String>
    /// The certificates that clients get now; nil without TLS.
    package var certificates: TLSContext?

    /// The name under which containers reach the machine on which they run. No web page can have it.
    private static let containerHost = "host.docker.internal"

    /// - Parameter names: additional names, in lower case.
    package init(_ names: [String]) { self.names = Set(names + ["localhost", Self.containerHost]) }

    /// - Parameter authority: a host with or without a port.
    package func include(_ authority: String) -> Bool {
        guard let host = HostAndPort(parsing: authority)?.host, !host.isEmpty else { return false }
        if names.contains(host) || SocketAddress(parsing: host + ":0")?.isLoopback == true { return true }
        let bare = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        return certificates?.isValid(for: bare) ?? false
    }
}

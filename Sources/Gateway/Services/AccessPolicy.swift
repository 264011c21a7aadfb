internal import EventLoop
internal import HTTPCore
internal import PushEngine

/// Decides who may use Pushpit's own pages.
///
/// It refuses other sites' web pages by their Origin header, DNS rebinding by the host name, and, with `--api-token`,
/// requests without that token.
struct AccessPolicy {
    let allowedHosts: [String]
    let apiToken: String?

    /// Why a request may not use Pushpit's own pages.
    struct Refusal {
        let status: Int
        let code: String
        let sentence: String

        /// JSON for the control API, plain text otherwise.
        func response(for service: Service) -> Response {
            var response =
                service == .control
                ? ControlProblem(status: status, code: code, message: sentence).response
                : Response(status: status, contentType: "text/plain; charset=utf-8", text: sentence + "\n")
            if status == 401 { response.headers.append(.wwwAuthenticate, "Bearer") }
            return response
        }
    }

    func refusal(of headers: HeaderBlock) -> Refusal? {
        let authority = headers.first(.authority) ?? headers.first(.host)
        if let authority, !isAllowedHost(authority) {
            return refused("The host '\(text(authority))' is not loopback. To allow it, use --allow-host.")
        }
        if let origin = headers.first(.origin), !isAllowedOrigin(origin, authority) {
            return refused("The web origin '\(text(origin))' is not allowed to use this gateway.")
        }
        guard let apiToken else { return nil }
        let given = headers.first(.authorization) ?? []
        guard isBearer(given, apiToken) else {
            return Refusal(
                status: 401, code: "noToken", sentence: "Send 'authorization: Bearer' with the value of --api-token.")
        }
        return nil
    }

    /// The name of the scheme is case-insensitive (RFC 9110 §11.1).
    private func isBearer(_ value: ArraySlice<UInt8>, _ token: String) -> Bool {
        let parts = value.split(separator: UInt8(ascii: " "), maxSplits: 1)
        return parts.count == 2 && text(parts[0]).lowercased() == "bearer" && parts[1].elementsEqual(token.utf8)
    }

    /// Whether this is a loopback or allowed host, with or without a port. It rejects `127.evil.example` and
    /// `localhost:80@evil.example`.
    private func isAllowedHost(_ authority: ArraySlice<UInt8>) -> Bool {
        let name = text(authority).lowercased()
        let end =
            name.hasPrefix("[") ? name.firstIndex(of: "]").map { name.index(after: $0) } : name.firstIndex(of: ":")
        let host = String(name[..<(end ?? name.endIndex)])
        let rest = name[(end ?? name.endIndex)...]
        guard rest.isEmpty || rest.first == ":" && rest.dropFirst().allSatisfy({ "0"..."9" ~= $0 }) else {
            return false
        }
        if host == "localhost" || allowedHosts.contains(host) { return true }
        return SocketAddress(parsing: host + ":0")?.isLoopback ?? false
    }

    /// Whether the page comes from this gateway or from an allowed host. Pages of other servers on this machine are
    /// refused.
    private func isAllowedOrigin(_ origin: ArraySlice<UInt8>, _ authority: ArraySlice<UInt8>?) -> Bool {
        let name = text(origin).lowercased()
        guard let scheme = ["http://", "https://"].first(where: name.hasPrefix) else { return false }
        let site = name.dropFirst(scheme.count)
        if let authority, site == text(authority).lowercased() { return true }
        return allowedHosts.contains(String(site.prefix { $0 != ":" }))
    }

    private func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    private func refused(_ sentence: String) -> Refusal {
        Refusal(status: 403, code: "forbiddenOrigin", sentence: sentence)
    }
}

extension HeaderName {
    static let origin = HeaderName("origin")
    static let wwwAuthenticate = HeaderName("www-authenticate")
}

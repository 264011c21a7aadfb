internal import ControlAPI
internal import EventLoop
internal import HTTPCore
internal import PushCore
internal import PushEngine

/// Decides who may use Pushpit's own pages.
///
/// It refuses web pages of other sites (by their Origin header), DNS rebinding (by the host name) and, with
/// `--api-token`, requests without that token.
struct AccessPolicy {
    let allowedHosts: [String]
    let apiToken: String?

    /// Why a request may not use Pushpit's own pages.
    struct Refusal {
        let status: Int
        let code: String
        let sentence: String
        /// Whether a browser should ask for the token.
        var asksBrowser = false

        /// JSON for the control API, plain text otherwise.
        func response(for service: Service) -> Response {
            var response =
                service == .control
                ? ControlProblem(status: status, code: code, message: sentence).response
                : Response(status: status, contentType: "text/plain; charset=utf-8", text: sentence + "\n")
            if status == 401 { response.headers.append(.wwwAuthenticate, "Bearer") }
            if asksBrowser {
                response.headers.append(
                    .wwwAuthenticate, "Basic realm=\"Pushpit: any name, and the value of --api-token as password\"")
            }
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
        if isBearer(given, apiToken) { return nil }
        // Basic authentication is only for the pages that people open in a browser. A browser sends the stored password
        // again with every request that another site's page causes, so the other paths do not accept it.
        let isPage = OpenAPI.hasPage(at: headers.first(.path) ?? [])
        if isPage, isBasic(given, apiToken) { return nil }
        let problem =
            given.isEmpty
            ? "This gateway requires a token, and the request has none."
            : "The token in 'authorization' is not the gateway's."
        return Refusal(
            status: 401, code: "noToken",
            sentence: "\(problem) Send 'authorization: Bearer' with the value of --api-token.", asksBrowser: isPage)
    }

    /// Basic authentication with any name and the token as password (RFC 7617).
    private func isBasic(_ value: ArraySlice<UInt8>, _ token: String) -> Bool {
        let parts = value.split(separator: UInt8(ascii: " "), maxSplits: 1)
        guard parts.count == 2, text(parts[0]).lowercased() == "basic" else { return false }
        // Base64url has the same alphabet as Base64, except for two characters, and no padding.
        let encoded = text(parts[1]).utf8.filter { $0 != UInt8(ascii: "=") }.map { byte in
            byte == UInt8(ascii: "+") ? UInt8(ascii: "-") : byte == UInt8(ascii: "/") ? UInt8(ascii: "_") : byte
        }
        guard let pair = Base64URL.decode(encoded), let colon = pair.firstIndex(of: UInt8(ascii: ":")) else {
            return false
        }
        return pair[(colon + 1)...].elementsEqual(token.utf8)
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

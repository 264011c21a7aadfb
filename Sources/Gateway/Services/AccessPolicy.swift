internal import PushEngine
internal import EventLoop
internal import HTTPCore

/// Keeps strangers from what is ours: web pages by their origin, re-bound names by their host, and everybody
/// else by a token where one is set.
struct AccessPolicy {
    let allowedHosts: [String]
    let apiToken: String?

    /// Why somebody is not let in.
    struct Refusal {
        let status: Int
        let code: String
        let sentence: String

        /// In JSON for the control API, else for people.
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
        if let authority, !isOurs(authority) {
            return refused("The host '\(text(authority))' is not loopback; name it with --allow-host.")
        }
        if let origin = headers.first(.origin), !isOurOrigin(origin, authority) {
            return refused("The web origin '\(text(origin))' may not use this gateway.")
        }
        guard let apiToken else { return nil }
        let given = headers.first(.authorization) ?? []
        guard isBearer(given, apiToken) else {
            return Refusal(
                status: 401, code: "noToken", sentence: "Send 'authorization: Bearer' with the value of --api-token.")
        }
        return nil
    }

    /// The scheme's name has no case (RFC 9110 §11.1).
    private func isBearer(_ value: ArraySlice<UInt8>, _ token: String) -> Bool {
        let parts = value.split(separator: UInt8(ascii: " "), maxSplits: 1)
        return parts.count == 2 && text(parts[0]).lowercased() == "bearer" && parts[1].elementsEqual(token.utf8)
    }

    /// A host, with or without a port, and nothing else: `127.evil.example` and `localhost:80@evil.example` are not.
    private func isOurs(_ authority: ArraySlice<UInt8>) -> Bool {
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

    /// A page of this gateway itself, or of a host that is allowed: another server on this machine is a stranger.
    private func isOurOrigin(_ origin: ArraySlice<UInt8>, _ authority: ArraySlice<UInt8>?) -> Bool {
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

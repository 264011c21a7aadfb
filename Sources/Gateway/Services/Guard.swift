internal import HTTPCore

/// Keeps strangers from what is ours: web pages by their origin, re-bound names by their host, and everybody
/// else by a token where one is set.
struct Guard {
    let allowedHosts: [String]
    let apiToken: String?

    func refusal(of request: Request) -> Response? {
        if let host = request.authority, !isOurs(host) {
            return refused("The host '\(text(host))' is not loopback; name it with --allow-host.")
        }
        if let origin = request.headers.first(.origin), !isOurOrigin(origin) {
            return refused("The web origin '\(text(origin))' may not use this gateway.")
        }
        guard let apiToken else { return nil }
        let given = request.headers.first(.authorization) ?? []
        guard given.elementsEqual("Bearer \(apiToken)".utf8) else {
            return Response(
                status: 401,
                headers: HeaderBlock([.contentType: "text/plain; charset=utf-8", .wwwAuthenticate: "Bearer"]),
                body: .bytes(Array("Send 'authorization: Bearer' with the value of --api-token.\n".utf8)))
        }
        return nil
    }

    private func isOurs(_ authority: ArraySlice<UInt8>) -> Bool {
        let name = text(authority)
        let host = name.hasPrefix("[") ? String(name.prefix { $0 != "]" }.dropFirst()) : String(name.prefix { $0 != ":" })
        return host == "localhost" || host == "::1" || host.hasPrefix("127.") || allowedHosts.contains(host.lowercased())
    }

    private func isOurOrigin(_ origin: ArraySlice<UInt8>) -> Bool {
        let name = text(origin)
        guard let scheme = ["http://", "https://"].first(where: name.hasPrefix) else { return false }
        return isOurs(Array(name.dropFirst(scheme.count).utf8)[...])
    }

    private func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    private func refused(_ sentence: String) -> Response {
        Response(status: 403, contentType: "text/plain; charset=utf-8", text: sentence + "\n")
    }
}

extension HeaderName {
    static let origin = HeaderName("origin")
    static let wwwAuthenticate = HeaderName("www-authenticate")
}

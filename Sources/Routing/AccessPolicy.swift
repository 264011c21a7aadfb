internal import ControlAPI
package import HTTPCore
internal import PushCore

/// Decides who may use the gateway: which web pages may send requests to it (`admission`, for every path), and who may
/// use Pushpit's own pages (`refusal`).
package struct AccessPolicy {
    package let hosts: HostNames
    package let origins: AllowedOrigins
    package let apiToken: String?

    package init(hosts: HostNames, origins: [WebOrigin], apiToken: String?) {
        self.hosts = hosts
        self.origins = AllowedOrigins(origins)
        self.apiToken = apiToken
    }

    /// Why a request is refused.
    package struct Refusal {
        package let status: Int
        let code: String
        let sentence: String
        /// Whether a browser should ask for the token.
        let asksBrowser: Bool

        init(status: Int, code: String, sentence: String, asksBrowser: Bool = false) {
            self.status = status
            self.code = code
            self.sentence = sentence
            self.asksBrowser = asksBrowser
        }

        package init(_ mark: BrowserMark) { self.init(status: 403, code: "forbiddenOrigin", sentence: mark.sentence) }

        /// JSON for the control API, plain text otherwise.
        package func response(for service: Service) -> Response {
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

    /// Why a request may not use Pushpit's own pages, on whatever listener: its host is not one of this gateway's, or it
    /// lacks the token.
    package func refusal(of headers: HeaderBlock, needsToken: Bool = true) -> Refusal? {
        if let authority = headers.authorityText, !hosts.include(authority) { return Refusal(.host(authority)) }
        guard needsToken, let apiToken else { return nil }
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

    /// The answer to a CONNECT without the token that `--api-token` sets; nil if the client may open a tunnel.
    package func proxyRefusal(of headers: HeaderBlock) -> Response? {
        guard let apiToken else { return nil }
        let given = headers.first(.proxyAuthorization) ?? []
        if isBasic(given, apiToken) || isBearer(given, apiToken) { return nil }
        let sentence =
            "This proxy requires the value of --api-token as password, with any user name: "
            + "set HTTPS_PROXY=http://any:TOKEN@HOST:PORT.\n"
        var response = Response(status: 407, contentType: "text/plain; charset=utf-8", text: sentence)
        response.headers.append(.proxyAuthenticate, "Basic realm=\"Pushpit\"")
        return response
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

    private func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}

extension HeaderName {
    static let wwwAuthenticate = HeaderName("www-authenticate")
    static let proxyAuthenticate = HeaderName("proxy-authenticate")
    static let proxyAuthorization = HeaderName("proxy-authorization")
}

/// Web pages of these origins may use the gateway. A new origin takes effect at once, on open connections too.
package final class AllowedOrigins {
    package var list: [WebOrigin]

    init(_ list: [WebOrigin]) { self.list = list }
}

@available(*, unavailable) extension AllowedOrigins: Sendable {}

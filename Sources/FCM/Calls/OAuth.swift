package import HTTPCore
internal import JSON
package import PushCore

/// Google's token endpoint, which exchanges a service account's signed claims for an access token (docs/evidence/fcm.md
/// §7.1).
package struct OAuth: Sendable {
    private let policy: FCMPolicy

    /// Returns whether the account made the signature; nil if the account is unknown.
    package typealias Verifier = (_ account: String, _ message: [UInt8], _ signature: [UInt8]) -> Bool?

    /// The current time on two clocks. The claims have to be valid by at least one of them, because a test can move the
    /// gateway's clock but not the client's.
    package struct Time: Sendable {
        let gateway: Timestamp
        let client: Timestamp

        package init(gateway: Timestamp, client: Timestamp) {
            self.gateway = gateway
            self.client = client
        }
    }

    private static let grant = "urn:ietf:params:oauth:grant-type:jwt-bearer"
    /// The number of seconds for which an access token is valid, and the maximum for which claims may be valid.
    private static let lifetime: Int64 = 3600
    /// How many seconds a client's clock may be ahead.
    private static let tolerance: Int64 = 300

    package init(_ policy: FCMPolicy) { self.policy = policy }

    /// An error with Google's text. The texts for the signature and the time window are quoted; the others are from
    /// memory.
    private struct Fault: Error {
        let error: String
        let text: String

        static let signature = Fault(error: "invalid_grant", text: "Invalid JWT Signature.")
        static let account = Fault(error: "invalid_grant", text: "Invalid grant: account not found")
        static let window = Fault(
            error: "invalid_grant",
            text: "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. "
                + "Check your iat and exp values in the JWT claim.")
        static let grantType = Fault(error: "unsupported_grant_type", text: "Invalid grant_type: ")
        static let assertion = Fault(error: "invalid_grant", text: "Bad Request")
        static let audience = Fault(error: "invalid_grant", text: "Invalid JWT: Failed audience check.")
        static let scope = Fault(error: "invalid_scope", text: "Invalid OAuth scope or ID token audience provided.")
    }

    package func answer(
        _ request: Request, _ bearers: inout BearerBook, at time: Time, verify: Verifier,
        using generator: inout Random
    ) -> GoogleAnswer {
        do throws(Fault) {
            let (account, scopes) = try check(request, time, verify)
            let token = bearers.issue(
                to: account, scopes, until: time.gateway + Self.lifetime * 1000, using: &generator)
            let response = Self.response(200) { json in
                json.member("access_token", token)
                json.member("expires_in", Self.lifetime - 1)
                json.member("token_type", "Bearer")
            }
            return GoogleAnswer(response: response)
        } catch {
            return GoogleAnswer(
                response: Self.refusal(error), rule: RuleID("oauth.refused"),
                because: "/token refused the account's claims with \(error.error): \(error.text)")
        }
    }

    private func check(_ request: Request, _ time: Time, _ verify: Verifier) throws(Fault) -> (
        account: String, scopes: [String]
    ) {
        let form = Form(request.body)
        guard form["grant_type"] == Self.grant else {
            throw Fault(
                error: Fault.grantType.error, text: Fault.grantType.text + (form["grant_type"] ?? "").prefix(100))
        }
        let parts = (form["assertion"] ?? "").utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let head = Self.object(parts[0]), head["alg"]?.equals("RS256") == true,
            let claims = Self.object(parts[1]), let signature = Base64URL.decode(Array(parts[2])[...]),
            let account = claims["iss"]?.string
        else { throw .assertion }
        let message = Array(parts[0]) + [UInt8(ascii: ".")] + Array(parts[1])
        switch verify(account, message, signature) {
        case false?: throw .signature
        case nil where policy.requiresKnownBearers: throw .account
        case true?, nil: break
        }
        guard let audience = claims["aud"]?.string, Self.isAudience(audience, of: request) else { throw .audience }
        guard let issued = claims["iat"]?.double, let expires = claims["exp"]?.double, abs(issued) < 1e12,
            abs(expires) < 1e12,
            0...Double(Self.lifetime) ~= expires - issued,
            [time.gateway, time.client].contains(where: {
                Int64(issued) <= $0.seconds + Self.tolerance && Int64(expires) > $0.seconds
            })
        else { throw .window }
        let scopes = (claims["scope"]?.string ?? "").split(separator: " ").map(String.init)
        guard !scopes.isEmpty, scopes.allSatisfy({ $0.hasPrefix(Self.scopePrefix) || Self.identityScopes.contains($0) })
        else {
            throw .scope
        }
        return (account, scopes)
    }

    /// Whether the audience is Google's endpoint (the documented one or an older one) or this gateway's.
    private static func isAudience(_ audience: String, of request: Request) -> Bool {
        if googleAudiences.contains(audience) { return true }
        // The longer paths first, because all of them end in the shortest one.
        guard let scheme = ["https://", "http://"].first(where: audience.hasPrefix),
            let path = GoogleRoute.tokenPaths.reversed().first(where: audience.hasSuffix)
        else { return false }
        let host = audience.dropFirst(scheme.count).dropLast(path.count)
        if let authority = request.authority, host.utf8.elementsEqual(authority) { return true }
        return ["localhost", "127.0.0.1", "[::1]"].contains {
            host == $0 || host.hasPrefix("\($0):") && !host.contains("/")
        }
    }

    private static let googleAudiences = [
        "https://oauth2.googleapis.com/token", "https://www.googleapis.com/oauth2/v4/token",
        "https://accounts.google.com/o/oauth2/token",
    ]
    private static let scopePrefix = "https://www.googleapis.com/auth/"
    private static let identityScopes = ["openid", "email", "profile"]

    private static func object(_ part: Substring.UTF8View) -> JSONView? {
        guard let bytes = Base64URL.decode(Array(part)[...]), let root = try? JSONDocument(parsing: bytes).root else {
            return nil
        }
        return root.kind == .object ? root : nil
    }

    private static func refusal(_ fault: Fault) -> Response {
        response(400) { json in
            json.member("error", fault.error)
            json.member("error_description", fault.text)
        }
    }

    /// The answer to claims that are not valid now (quoted).
    static var windowRefusal: Response { refusal(.window) }

    private static func response(_ status: Int, _ body: (inout JSONWriter) -> Void) -> Response {
        var json = JSONWriter()
        json.object(body)
        return Response(
            status: status,
            headers: HeaderBlock([
                .contentType: "application/json; charset=utf-8",
                HeaderName("cache-control"): "no-cache, no-store, max-age=0, must-revalidate",
            ]), body: .bytes(json.finish()))
    }
}

/// A body of type `application/x-www-form-urlencoded`. If a name is repeated, its last value counts.
struct Form {
    private var fields: [String: String] = [:]

    private static let maximumLength = 64 << 10

    init(_ body: [UInt8]) {
        for (name, value) in PercentCode.pairs(body.prefix(Self.maximumLength)) { fields[name] = value }
    }

    subscript(name: String) -> String? { fields[name] }

    var names: [String] { fields.keys.sorted() }
}

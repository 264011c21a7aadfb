import HTTPCore
import JSON
import PushCore
import Testing

@testable import FCM

/// The token endpoint: which grants give an access token, and Google's text for each refusal.
@Suite struct OAuthTests {
    static let account = "sender@demo.iam.gserviceaccount.com"
    static let now = FCMCase.now.seconds

    /// A form with an unsigned JWT; `verify` decides about the signature.
    static func form(
        grant: String = "urn:ietf:params:oauth:grant-type:jwt-bearer", head: String = #"{"alg":"RS256"}"#,
        claims: String = claims(), signature: String = "c2ln"
    ) -> String {
        let parts = [head, claims].map { Base64URL.encode($0.utf8) } + [signature]
        return "grant_type=\(grant)&assertion=\(parts.joined(separator: "."))"
    }

    static func claims(
        issuer: String? = account, audience: String = "https://oauth2.googleapis.com/token",
        scope: String = "https://www.googleapis.com/auth/firebase.messaging", issued: String = "\(now)",
        expires: String = "\(now + 3600)"
    ) -> String {
        let issuer = issuer.map { #""iss":"\#($0)","# } ?? ""
        return #"{\#(issuer)"aud":"\#(audience)","scope":"\#(scope)","iat":\#(issued),"exp":\#(expires)}"#
    }

    private func answer(
        _ form: String, policy: FCMPolicy = FCMPolicy(), client: Timestamp = FCMCase.now,
        gateway: Timestamp = FCMCase.now,
        verify: OAuth.Verifier = { _, _, _ in true }
    ) -> (response: Response, rule: String?, bearers: BearerBook) {
        var (bearers, random) = (BearerBook(), Random(seed: 5))
        let request = FCMCase.request(.post, "/token", body: form)
        let answer = OAuth(policy).answer(
            request, &bearers, at: OAuth.Time(gateway: gateway, client: client), verify: verify, using: &random)
        return (answer.response, answer.rule?.description, bearers)
    }

    @Test(arguments: [
        "https://oauth2.googleapis.com/token", "https://www.googleapis.com/oauth2/v4/token", "https://localhost/token",
        "https://accounts.google.com/o/oauth2/token", "https://localhost:2197/oauth2/v4/token",
        "http://localhost:2197/token", "https://127.0.0.1:1/token", "http://[::1]:5/token",
    ]) func `a grant for an accepted audience gives an access token`(audience: String) throws {
        let (response, rule, bearers) = answer(Self.form(claims: Self.claims(audience: audience)))
        #expect(response.status == 200)
        #expect(rule == nil)
        let body = try FCMCase.document(response.text).root
        #expect(body["expires_in"]?.int == 3599)
        #expect(body["token_type"]?.string == "Bearer")
        #expect(response.values("cache-control").first?.contains("no-store") == true)
        let bearer = try #require(bearers[body["access_token"]?.string ?? ""])
        #expect(bearer.maySend)
        #expect(bearer.project == "demo")
        #expect(bearer.expires == FCMCase.now + 3_600_000)
    }

    static let window =
        "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. "
        + "Check your iat and exp values in the JWT claim."
    static let audience = "Invalid JWT: Failed audience check."
    static let scope = "Invalid OAuth scope or ID token audience provided."

    static let refusals: [(form: String, error: String, text: String)] = [
        ("", "unsupported_grant_type", "Invalid grant_type: "),
        (form(grant: "password"), "unsupported_grant_type", "Invalid grant_type: password"),
        ("grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer", "invalid_grant", "Bad Request"),
        (form(head: "{}"), "invalid_grant", "Bad Request"),
        (form(head: #"{"alg":"none"}"#), "invalid_grant", "Bad Request"),
        (form(claims: "[]"), "invalid_grant", "Bad Request"), (form(claims: "x"), "invalid_grant", "Bad Request"),
        (form(claims: claims(issuer: nil)), "invalid_grant", "Bad Request"),
        (form(signature: "?"), "invalid_grant", "Bad Request"),
        (form(signature: "a.b"), "invalid_grant", "Bad Request"),
        (form(claims: claims(audience: "https://example.com/token")), "invalid_grant", audience),
        (form(claims: claims(audience: "https://localhost:1/x/token")), "invalid_grant", audience),
        (form(claims: claims(audience: "ftp://localhost/token")), "invalid_grant", audience),
        (form(claims: claims(audience: "https://localhost/")), "invalid_grant", audience),
        (form(claims: claims(expires: "\(now + 3601)")), "invalid_grant", window),
        (form(claims: claims(issued: "\(now + 10)", expires: "\(now)")), "invalid_grant", window),
        (form(claims: claims(issued: "\(now - 3600)", expires: "\(now)")), "invalid_grant", window),
        (form(claims: claims(issued: "\(now + 301)")), "invalid_grant", window),
        (form(claims: claims(issued: "\"\(now)\"")), "invalid_grant", window),
        (form(claims: claims(issued: "1e300", expires: "1e300")), "invalid_grant", window),
        (form(claims: claims(scope: "")), "invalid_scope", scope),
        (form(claims: claims(scope: "foo")), "invalid_scope", scope),
        (form(claims: claims(scope: "openid https://example.com/auth/x")), "invalid_scope", scope),
    ]

    @Test(arguments: refusals.indices) func `each faulty grant is refused with Google's text`(row: Int) throws {
        let (form, error, text) = Self.refusals[row]
        let (response, rule, _) = answer(form)
        #expect(response.status == 400)
        #expect(rule == "oauth.refused")
        let body = try FCMCase.document(response.text).root
        #expect(body["error"]?.string == error, "\(form)")
        #expect(body["error_description"]?.string == text, "\(form)")
    }

    @Test func `the recorded answer to a wrong time window is ours`() throws {
        let recorded = try #require(FCMCase.recorded["oauth-window"]?["body"])
        let (response, _, _) = answer(Self.form(claims: Self.claims(expires: "\(Self.now + 4000)")))
        #expect(try JSONValue(FCMCase.document(response.text).root) == JSONValue(recorded))
    }

    @Test func `a client's clock may be ahead by five minutes`() {
        let claims = Self.claims(issued: "\(Self.now + 300)", expires: "\(Self.now + 600)")
        #expect(answer(Self.form(claims: claims)).response.status == 200)
    }

    @Test func `times from a trillion seconds on are refused`() {
        for (expires, status) in [(999_999_999_999, 200), (1_000_000_000_000, 400)] as [(Int64, Int)] {
            let claims = Self.claims(issued: "\(expires - 1)", expires: "\(expires)")
            let clock = Timestamp(milliseconds: (expires - 1) * 1000)
            #expect(answer(Self.form(claims: claims), client: clock, gateway: clock).response.status == status)
        }
    }

    @Test func `the project is in all that follows the account's first @`() throws {
        let (response, _, bearers) = answer(
            Self.form(claims: Self.claims(issuer: "a@b@demo.iam.gserviceaccount.com")))
        let token = try FCMCase.document(response.text).root["access_token"]?.string ?? ""
        #expect(bearers[token]?.project == "b@demo")
    }

    @Test func `claims are valid by any of the clocks`() {
        let moved = FCMCase.now + 86_400_000
        let form = Self.form()
        #expect(answer(form, client: moved, gateway: moved).response.status == 400)
        #expect(answer(form, client: FCMCase.now, gateway: moved).response.status == 200)
    }

    @Test func `the signature is checked over the first two parts`() {
        var seen: [(String, String, [UInt8])] = []
        _ = answer(Self.form(head: #"{"alg":"RS256","kid":"k"}"#)) { account, message, signature in
            seen.append((account, String(decoding: message, as: UTF8.self), signature))
            return true
        }
        #expect(seen.count == 1)
        #expect(seen.first?.0 == Self.account)
        #expect(seen.first?.1.split(separator: ".").count == 2)
        #expect(seen.first?.2 == Array("sig".utf8))
    }

    @Test(
        arguments: [
            (true, false, 200, nil), (true, true, 200, nil), (false, false, 400, "Invalid JWT Signature."),
            (nil, false, 200, nil), (nil, true, 400, "Invalid grant: account not found"),
        ] as [(Bool?, Bool, Int, String?)])
    func `an unknown account is refused by strict only`(verified: Bool?, isStrict: Bool, status: Int, text: String?)
        throws
    {
        let (response, _, _) = answer(
            Self.form(), policy: FCMPolicy(requiresKnownBearers: isStrict), verify: { _, _, _ in verified })
        #expect(response.status == status)
        #expect(try FCMCase.document(response.text).root["error_description"]?.string == text)
    }

    @Test func `a token without a sending scope is issued but may not send`() throws {
        let (response, _, bearers) = answer(Self.form(claims: Self.claims(scope: "openid email profile")))
        let token = try FCMCase.document(response.text).root["access_token"]?.string ?? ""
        #expect(bearers[token]?.maySend == false)
    }

    @Test func `the last value of a repeated form field counts`() {
        let form = Form(Array("a=1&b=x+y%21&a=2&c".utf8))
        #expect(form["a"] == "2")
        #expect(form["b"] == "x y!")
        #expect(form["c"] == "")
        #expect(form["d"] == nil)
        #expect(form.names == ["a", "b", "c"])
    }
}

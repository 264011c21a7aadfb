import HTTPCore
import PushCore
import Testing

@testable import FCM

/// Who may send: bearer tokens in headers and queries, their scopes, projects and expiry.
@Suite struct FCMCredentialsTests {
    static let sendScope = "https://www.googleapis.com/auth/firebase.messaging"
    static let message = #"{"message":{"topic":"news"}}"#

    func issue(
        _ sender: inout FCMSender, to account: String = "a@demo.iam.gserviceaccount.com",
        scope: String = sendScope, expires: Timestamp = FCMCase.now + 3_600_000
    ) -> String {
        sender.bearers.issue(to: account, [scope], until: expires, using: &sender.random)
    }

    @Test(arguments: [
        ("", "fcm.credentials-missing"), ("Bearer", "fcm.credentials-missing"), ("Bearer ", "fcm.credentials-missing"),
        ("Basic abc", "fcm.credentials-missing"), ("key=abc", "fcm.credentials-missing"),
        ("Bearer a b", "fcm.credentials-invalid"), ("Bearer a\"b", "fcm.credentials-invalid"),
        ("Bearer eyJhbGciOiJSUzI1NiJ9.e30.c2ln", "fcm.credentials-type"),
    ]) func `missing, malformed and wrong tokens are refused`(authorization: String, rule: String) {
        var sender = FCMSender()
        let decision = sender.post(FCMCase.send(Self.message, headers: [("authorization", authorization)]))
        #expect(decision.status == 401)
        #expect(decision.rule == rule)
        #expect(decision.response.values("www-authenticate").first?.hasPrefix("Bearer realm=") == true)
    }

    @Test(arguments: ["Bearer ya29.a", "bearer ya29.a", "BEARER a._~+/=-"])
    func `an unknown token is accepted with a note`(authorization: String) {
        var sender = FCMSender()
        let decision = sender.post(FCMCase.send(Self.message, headers: [("authorization", authorization)]))
        #expect(decision.status == 200)
        #expect(decision.findings == ["auth.unknown-bearer"])
    }

    @Test(arguments: ["access_token", "oauth_token"]) func `the token can be in the query`(name: String) {
        var sender = FCMSender()
        let request = FCMCase.request(
            .post, "/v1/projects/demo/messages:send?\(name)=ya29.a", body: Self.message)
        #expect(sender.post(request).status == 200)
        #expect(
            sender.post(FCMCase.request(.post, "/v1/projects/demo/messages:send", body: Self.message)).status == 401)
    }

    @Test func `an issued token is accepted without a note until it expires`() {
        var sender = FCMSender()
        let token = issue(&sender)
        let request = FCMCase.send(Self.message, headers: [("authorization", "Bearer \(token)")])
        // Twice: the second request finds the sender in the cache.
        for _ in 0..<2 {
            let decision = sender.post(request)
            #expect(decision.status == 200)
            #expect(decision.findings.isEmpty)
        }
        sender.now = FCMCase.now + 3_600_000
        #expect(sender.post(request).rule == "fcm.credentials-expired")
    }

    @Test(arguments: [
        ("https://www.googleapis.com/auth/firebase.messaging", 200),
        ("https://www.googleapis.com/auth/cloud-platform", 200),
        ("https://www.googleapis.com/auth/devstorage.read_only", 403), ("openid", 403),
    ]) func `a token needs a scope that allows sending`(scope: String, status: Int) {
        var sender = FCMSender()
        let token = issue(&sender, scope: scope)
        let decision = sender.post(FCMCase.send(Self.message, headers: [("authorization", "Bearer \(token)")]))
        #expect(decision.status == status)
        #expect(decision.rule == (status == 200 ? nil : "fcm.scope"))
    }

    @Test func `strict accepts issued tokens only`() {
        var sender = FCMSender(FCMPolicy(requiresKnownBearers: true))
        #expect(sender.post(Self.message).rule == "fcm.credentials-invalid")
        let token = issue(&sender)
        #expect(sender.post(FCMCase.send(Self.message, headers: [("authorization", "Bearer \(token)")])).status == 200)
    }

    @Test(arguments: [
        ("a@demo.iam.gserviceaccount.com", nil), ("a@other.iam.gserviceaccount.com", "fcm.no-permission"),
        ("a@example.com", nil), ("demo", nil),
        (String(repeating: "a", count: 250) + "@other.iam.gserviceaccount.com", nil),
    ]) func `strict compares the account's project with the path's`(account: String, rule: String?) {
        var strict = FCMSender(FCMPolicy(requiresKnownBearers: true))
        let token = issue(&strict, to: account)
        let request = FCMCase.send(Self.message, headers: [("authorization", "Bearer \(token)")])
        #expect(strict.post(request).rule == rule)
        var lenient = FCMSender()
        lenient.bearers = strict.bearers
        #expect(lenient.post(request).rule == nil)
    }

    @Test func `without credentials checks anything is accepted`() {
        var sender = FCMSender(FCMPolicy(requiresCredentials: false))
        let request = FCMCase.request(.post, "/v1/projects/demo/messages:send", body: Self.message)
        let decision = sender.post(request)
        #expect(decision.status == 200)
        #expect(decision.findings.isEmpty)
    }

    @Test func `an invalid body is reported before a missing permission`() {
        var sender = FCMSender()
        let token = issue(&sender, scope: "openid")
        let header = [(name: "authorization", value: "Bearer \(token)")]
        #expect(sender.post(FCMCase.send(#"{"x":1}"#, headers: header)).rule == "fcm.conversion")
        #expect(sender.post(FCMCase.send(#"{"message":{}}"#, headers: header)).rule == "fcm.scope")
    }

    @Test func `the oldest issued tokens are forgotten first`() {
        var (bearers, random) = (BearerBook(), Random(seed: 3))
        let tokens = (0..<10_001).map { _ in
            bearers.issue(to: "a", [Self.sendScope], until: FCMCase.now, using: &random)
        }
        #expect(Set(tokens).count == tokens.count)
        #expect(bearers[tokens[4_999]] == nil)
        #expect(bearers[tokens[5_000]] != nil)
        #expect(bearers[tokens[10_000]] != nil)
    }
}

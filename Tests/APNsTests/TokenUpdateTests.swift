import PushCore
import Testing

@testable import APNs

/// When a connection may change its provider token, and what the log says about tokens that are refused.
@Suite struct TokenUpdateTests {
    static func bearer(_ token: String) -> String { "bearer " + token }

    @Test func `another token within twenty minutes is refused, and the old one stays valid`() {
        var session = APNsSession()
        let next = PushSample { $0.authorization = Self.bearer(PushSample.token(age: 1)) }
        #expect(PushSample().verdict(on: &session).reason == nil)
        #expect(next.verdict(on: &session, at: PushSample.now + 1_199_999).reason == .tooManyProviderTokenUpdates)
        #expect(PushSample().verdict(on: &session, at: PushSample.now + 1_199_999).reason == nil)
        #expect(next.verdict(on: &session, at: PushSample.now + 1_200_000).reason == nil)
        #expect(
            PushSample().verdict(on: &session, at: PushSample.now + 1_200_001).reason == .tooManyProviderTokenUpdates)
    }

    @Test func `a token that has expired may be replaced at any time`() {
        var session = APNsSession()
        let old = PushSample { $0.authorization = Self.bearer(PushSample.token(age: 3000)) }
        let next = PushSample { $0.authorization = Self.bearer(PushSample.token(age: -600)) }
        #expect(old.verdict(on: &session).reason == nil)
        #expect(next.verdict(on: &session, at: PushSample.now + 600_000).reason == .tooManyProviderTokenUpdates)
        #expect(next.verdict(on: &session, at: PushSample.now + 600_001).reason == nil)
        #expect(old.verdict(on: &session, at: PushSample.now + 600_001).reason == .expiredProviderToken)
    }

    @Test func `a token that an answer called expired works until it is replaced, on every connection`() {
        var policy = PushSample.policy()
        var sessions = [APNsSession(), APNsSession()]
        let next = PushSample { $0.authorization = Self.bearer(PushSample.token(age: 1)) }
        let third = PushSample { $0.authorization = Self.bearer(PushSample.token(age: 2)) }
        for index in sessions.indices { #expect(PushSample().verdict(on: &sessions[index], policy).reason == nil) }
        policy.allowReplacement(of: sessions[0].latestToken ?? [])
        for index in sessions.indices {
            #expect(PushSample().verdict(on: &sessions[index], policy).reason == nil)
            #expect(next.verdict(on: &sessions[index], policy).reason == nil)
            #expect(PushSample().verdict(on: &sessions[index], policy).reason == .expiredProviderToken)
            #expect(third.verdict(on: &sessions[index], policy).reason == .tooManyProviderTokenUpdates)
            #expect(next.verdict(on: &sessions[index], policy).reason == nil)
        }
    }

    @Test func `of the tokens that were called expired, the last 64 are known`() {
        var tokens = ReplaceableTokens()
        for number in 0..<65 { tokens.add([UInt8(number)]) }
        tokens.add([64])
        tokens.add(Array(repeating: 1, count: 1001))
        #expect(!tokens.contains([0]))
        #expect((1..<65).allSatisfy { tokens.contains([UInt8($0)]) })
        #expect(!tokens.contains(Array(repeating: 1, count: 1001)))
    }

    static let causes: [(String, [PushSample], Int64, String)] = [
        (
            "an old token", [PushSample { $0.authorization = bearer(PushSample.token(age: 3661)) }], 0,
            "the token is 61 min 1 s old by the gateway's clock, and the limit is 60 min, which no option changes"
        ),
        (
            "a token that becomes too old on its connection", [PushSample(), PushSample()], 3_600_500,
            "the token is 60 min 1 s old by the gateway's clock, and the limit is 60 min, which no option changes"
        ),
        (
            "a token of the future", [PushSample { $0.authorization = bearer(PushSample.token(age: -3700)) }], 0,
            "iat is 61 min 40 s ahead of the gateway's clock, and the limit is 60 min (--apns-choice future-token)"
        ),
        (
            "another token too soon",
            [PushSample(), PushSample { $0.authorization = bearer(PushSample.token(age: 1)) }], 5000,
            "the current token arrived 5 s ago, and another one is accepted after 20 min (--token-update-interval)"
        ),
        (
            "a magic token", [PushSample { $0.path = "/3/device/dead040303" + String(repeating: "0", count: 54) }], 0,
            "the device token begins with dead040303, which asks for this answer"
        ),
    ]

    /// All but the last push are accepted. The last one comes later by this many milliseconds.
    @Test(arguments: causes)
    func `the log says how old a token is, and the limit`(
        row: (name: String, pushes: [PushSample], later: Int64, cause: String)
    ) {
        var session = APNsSession()
        for push in row.pushes.dropLast() { #expect(push.verdict(on: &session).reason == nil) }
        let last = row.pushes.last?.verdict(on: &session, at: PushSample.now + row.later)
        #expect(last?.refusal?.sentence == row.cause)
    }

    @Test func `a thousand tokens are remembered, and long ones are not`() {
        var tokens = AcceptedTokens()
        for number in 0..<1001 {
            tokens.add(AcceptedToken(bytes: Array("\(number)".utf8), keyID: "k", issuedAt: Int64(number)))
        }
        tokens.add(AcceptedToken(bytes: Array(repeating: 1, count: 1001), keyID: "k", issuedAt: 5000))
        let left = tokens.takeAll(of: "k").map(\.issuedAt).sorted()
        #expect(left == Array(500...1000))
        #expect(tokens.takeAll(of: nil).isEmpty)
    }
}

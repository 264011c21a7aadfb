import PushCore
import Testing

@testable import APNs

/// Provider tokens that were ended with a call of the control API.
@Suite struct EndedTokenTests {
    private static func push(age: Int64, signature: UInt8 = 1) -> PushSample {
        PushSample { $0.authorization = "bearer \(PushSample.token(age: age, signature: [signature]))" }
    }

    /// Pushes on a new connection each, ends the tokens of these pushes, and returns the policy.
    private static func ended(_ pushes: [PushSample]) -> APNsPolicy {
        var policy = PushSample.policy()
        let tokens = pushes.compactMap { push -> AcceptedToken? in
            var session = APNsSession()
            #expect(push.verdict(on: &session, policy).reason == nil)
            return session.takeNewToken()
        }
        #expect(policy.end(tokens, of: nil, before: PushSample.now.seconds, at: PushSample.now) == pushes.count)
        return policy
    }

    private static func sentence(_ push: PushSample, _ policy: APNsPolicy) -> String? {
        var session = APNsSession()
        return push.verdict(on: &session, policy) { ["\u{1}", "\u{2}"].contains(String(decoding: $2, as: UTF8.self)) }
            .refusal?.sentence
    }

    private static let wasSeen = "the token was invalidated with POST /api/v1/credentials/expire"
    private static let isOlder =
        "iat says that the token was signed before POST /api/v1/credentials/expire invalidated the tokens of the key "
        + PushSample.key

    static let rows: [(String, [PushSample], PushSample, String?)] = [
        ("the accepted token", [push(age: 0)], push(age: 0), wasSeen),
        ("another token of the same second", [push(age: 0)], push(age: 0, signature: 2), nil),
        ("an older token that was never seen", [push(age: 60)], push(age: 61), isOlder),
        ("a newer token that was never seen, signed before the call", [push(age: 60)], push(age: 59), isOlder),
        ("a token signed before the call, when none was accepted", [], push(age: 1), isOlder),
        ("a token signed after the call, when none was accepted", [], push(age: 0), nil),
        ("an accepted token of the future", [push(age: -1800)], push(age: -1800), wasSeen),
        ("a token signed now, after one of the future", [push(age: -1800)], push(age: 0), nil),
        ("a token signed before, after one of the future", [push(age: -1800)], push(age: 1), isOlder),
        ("an older accepted token", [push(age: -1800), push(age: 5), push(age: -900)], push(age: 5), isOlder),
        ("each accepted token of the future", [push(age: -1800), push(age: -900)], push(age: -900), wasSeen),
    ]

    @Test(arguments: rows) func `a token ends if it was accepted or signed before the call`(
        row: (name: String, accepted: [PushSample], next: PushSample, sentence: String?)
    ) {
        #expect(Self.sentence(row.next, Self.ended(row.accepted)) == row.sentence)
    }

    @Test func `a second call ends the tokens that were accepted after the first`() {
        var policy = Self.ended([Self.push(age: -1800)])
        var session = APNsSession()
        #expect(Self.push(age: 0).verdict(on: &session, policy).reason == nil)
        #expect(
            policy.end(
                [session.takeNewToken()].compactMap { $0 }, of: nil, before: PushSample.now.seconds, at: PushSample.now)
                == 1)
        for age in [-1800, 0] as [Int64] {
            #expect(Self.sentence(Self.push(age: age), policy) == Self.wasSeen)
        }
        #expect(Self.sentence(Self.push(age: -1), policy) == nil)
    }

    @Test func `a key whose ended tokens are all older than a later call is forgotten`() {
        var tokens = EndedTokens()
        let seconds = PushSample.now.seconds
        let token = AcceptedToken(bytes: [1], keyID: "k", issuedAt: seconds)
        tokens.add([token], of: nil, before: seconds, at: PushSample.now, lifetime: 3_600_000)
        for later in [1, 2] as [Int64] {
            tokens.add([], of: nil, before: seconds + later, at: PushSample.now + later * 1000, lifetime: 3_600_000)
        }
        #expect(tokens.cause(of: [1], of: "k", issuedAt: seconds) != nil)
        #expect(tokens.cause(of: [2], of: "k", issuedAt: seconds + 2) == nil)
    }

    @Test func `ended tokens are forgotten once they have expired anyway`() {
        var tokens = EndedTokens()
        let seconds = PushSample.now.seconds
        let token = AcceptedToken(bytes: [1], keyID: "k", issuedAt: seconds + 1800)
        tokens.add([token], of: nil, before: seconds, at: PushSample.now, lifetime: 3_600_000)
        tokens.add([], of: "other", before: 0, at: PushSample.now + 5_400_000, lifetime: 3_600_000)
        #expect(tokens.cause(of: [1], of: "k", issuedAt: seconds + 1800) != nil)
        tokens.add([], of: "other", before: 0, at: PushSample.now + 5_400_001, lifetime: 3_600_000)
        #expect(tokens.cause(of: [1], of: "k", issuedAt: seconds + 1800) == nil)
    }
}

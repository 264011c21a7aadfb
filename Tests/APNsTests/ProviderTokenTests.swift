import PushCore
import Testing

@testable import APNs

@Suite struct ProviderTokenTests {
    static func bearer(_ token: String) -> String { "bearer " + token }

    static let shapes: [(String, String?, APNsReason?)] = [
        ("no field", nil, .missingProviderToken), ("an empty field", "", .missingProviderToken),
        ("a scheme alone", "bearer", .missingProviderToken), ("a scheme and a space", "bearer ", .missingProviderToken),
        ("another scheme", "basic \(PushSample.token())", .missingProviderToken),
        ("no scheme", PushSample.token(), .missingProviderToken),
        ("a scheme in capitals", "BEARER \(PushSample.token())", nil),
        ("a token that is not a JWT", "bearer abc", .invalidProviderToken),
        ("two parts", "bearer a.b", .invalidProviderToken),
        ("empty parts", "bearer ..", .invalidProviderToken),
        ("four parts", "bearer \(PushSample.token()).x", .invalidProviderToken),
        ("characters outside base64", "bearer !\(PushSample.token())", .invalidProviderToken),
        (
            "padding", "bearer " + PushSample.token().replacing(".", with: "=.", maxReplacements: 1),
            .invalidProviderToken
        ),
        ("a header that is not an object", bearer(PushSample.token(head: "[]")), .invalidProviderToken),
        (
            "another algorithm", bearer(PushSample.token(head: #"{"alg":"HS256","kid":"ABCDE12345"}"#)),
            .invalidProviderToken
        ),
        (
            "a type and spaces", bearer(PushSample.token(head: #" { "typ":"JWT", "alg":"ES256","kid":"ABCDE12345"}"#)),
            nil
        ),
        ("no key id", bearer(PushSample.token(head: #"{"alg":"ES256"}"#)), .invalidProviderToken),
        ("a short key id", bearer(PushSample.token(key: "ABC")), .invalidProviderToken),
        ("a key id with other characters", bearer(PushSample.token(key: "ABCDE-2345")), .invalidProviderToken),
        ("no team", bearer(PushSample.token(claims: #"{"iat":1800000000}"#)), .invalidProviderToken),
        ("another team", bearer(PushSample.token(team: "OTHER67890")), .invalidProviderToken),
        ("no time", bearer(PushSample.token(claims: #"{"iss":"TEAM567890"}"#)), .invalidProviderToken),
        (
            "a time with a plus sign", bearer(PushSample.token(claims: #"{"iss":"TEAM567890","iat":"+1800000000"}"#)),
            .invalidProviderToken
        ),
        (
            "a time in words", bearer(PushSample.token(claims: #"{"iss":"TEAM567890","iat":"now"}"#)),
            .invalidProviderToken
        ),
        (
            "a time in milliseconds", bearer(PushSample.token(claims: #"{"iss":"TEAM567890","iat":1800000000000}"#)),
            .invalidProviderToken
        ),
        (
            "more claims",
            bearer(PushSample.token(claims: #"{"iss":"TEAM567890","iat":1800000000,"kid":"x","exp":1}"#)), nil
        ),
        ("another signature", bearer(PushSample.token(signature: [2])), .invalidProviderToken),
        ("no signature", bearer(PushSample.token(signature: [])), .invalidProviderToken),
        ("an hour old", bearer(PushSample.token(age: 3600)), nil),
        ("an hour and a second old", bearer(PushSample.token(age: 3601)), .expiredProviderToken),
        ("an hour ahead", bearer(PushSample.token(age: -3600)), nil),
        ("more than an hour ahead", bearer(PushSample.token(age: -3601)), .invalidProviderToken),
        (
            "the largest 64-bit time",
            bearer(PushSample.token(claims: #"{"iss":"TEAM567890","iat":"9223372036854775807"}"#)),
            .invalidProviderToken
        ),
        (
            "the smallest time that fits in milliseconds",
            bearer(PushSample.token(claims: #"{"iss":"TEAM567890","iat":"-9223372036854775"}"#)), .invalidProviderToken
        ),
        (
            "the smallest accepted time",
            bearer(PushSample.token(claims: #"{"iss":"TEAM567890","iat":"-999999999999999"}"#)), .expiredProviderToken
        ),
        (
            "the largest time that can be read",
            bearer(PushSample.token(claims: #"{"iss":"TEAM567890","iat":999999999999999}"#)),
            .invalidProviderToken
        ),
        (
            "the smallest 64-bit time",
            bearer(PushSample.token(claims: #"{"iss":"TEAM567890","iat":"-9223372036854775808"}"#)),
            .invalidProviderToken
        ),
        ("an unknown key", bearer(PushSample.token(key: "ZZZZZ12345")), nil),
    ]

    @Test(arguments: shapes)
    func `provider tokens are accepted and refused as by Apple`(
        row: (name: String, field: String?, reason: APNsReason?)
    ) {
        #expect(PushSample { $0.authorization = row.field }.verdict().reason == row.reason)
    }

    @Test func `strict accepts only known keys, lenient reports unknown ones, off checks nothing`() {
        let unknownKey = PushSample { $0.authorization = Self.bearer(PushSample.token(key: "ZZZZZ12345")) }
        #expect(unknownKey.verdict(PushSample.policy { $0.auth = .strict }).reason == .invalidProviderToken)
        #expect(unknownKey.verdict().findings == ["auth.unknown-key"])
        #expect(PushSample().verdict().findings.isEmpty)
        let anonymous = PushSample { $0.authorization = nil }
        #expect(anonymous.verdict(PushSample.policy { $0.auth = .off }).reason == nil)
    }

    @Test func `an accepted token is verified once on a connection`() {
        var session = APNsSession()
        var count = 0
        for _ in 0..<5 {
            let verdict = PushSample().verdict(on: &session) { _, _, _ in
                count += 1
                return true
            }
            #expect(verdict.reason == nil)
        }
        #expect(count == 1)
        let other = PushSample { $0.authorization = Self.bearer(PushSample.token(age: 1)) }
        for sample in [other, PushSample(), other, PushSample()] {
            _ = sample.verdict(on: &session) { _, _, _ in
                count += 1
                return true
            }
        }
        #expect(count == 3, "the token in force is remembered, a refused one is not")
    }

    @Test func `an empty token is refused`() {
        var session = APNsSession()
        #expect(PushSample { $0.authorization = "bearer  " }.verdict(on: &session).reason == .invalidProviderToken)
    }

    @Test func `a token expires while its connection stays open`() {
        var session = APNsSession()
        #expect(PushSample().verdict(on: &session).reason == nil)
        #expect(PushSample().verdict(on: &session, at: PushSample.now + 3_600_000).reason == nil)
        #expect(PushSample().verdict(on: &session, at: PushSample.now + 3_601_000).reason == .expiredProviderToken)
    }

    @Test func `a token that was refused does not count as an update`() {
        var session = APNsSession()
        let bad = PushSample { $0.authorization = Self.bearer(PushSample.token(signature: [9])) }
        #expect(bad.verdict(on: &session).reason == .invalidProviderToken)
        #expect(PushSample().verdict(on: &session).reason == nil)
    }

    @Test func `a connection belongs to the team that pushed first`() {
        var session = APNsSession()
        let other = PushSample {
            $0.authorization = Self.bearer(PushSample.token(key: "ZZZZZ12345", team: "OTHER67890"))
        }
        #expect(PushSample().verdict(on: &session).reason == nil)
        #expect(other.verdict(on: &session, at: PushSample.now + 1_300_000).reason == .invalidProviderToken)
    }

    @Test func `keys can be limited to an environment, to topics, and to related keys`() {
        let policy = PushSample.policy {
            $0.keys["SANDBOX123"] = ProviderKey(id: "SANDBOX123", team: PushSample.team, environment: .sandbox)
            $0.keys["TOPICS1234"] = ProviderKey(
                id: "TOPICS1234", team: PushSample.team, topics: ["com.example.app"], related: "TOPICS5678")
            $0.keys["TOPICS5678"] = ProviderKey(id: "TOPICS5678", team: PushSample.team, topics: ["com.example.app"])
            $0.tokenUpdateInterval = 0
        }
        func push(_ key: String, topic: String = "com.example.app") -> PushSample {
            PushSample {
                $0.authorization = Self.bearer(PushSample.token(key: key))
                $0.topic = topic
            }
        }
        var session = APNsSession()
        #expect(push("SANDBOX123").verdict(on: &session, policy).reason == .badEnvironmentKeyInToken)
        #expect(push("SANDBOX123").verdict(on: &session, policy, in: .sandbox).reason == nil)
        var scoped = APNsSession()
        #expect(push("TOPICS1234").verdict(on: &scoped, policy).reason == nil)
        #expect(push("TOPICS1234", topic: "com.example.app.voip").verdict(on: &scoped, policy).reason == nil)
        let other = push("TOPICS1234", topic: "com.example.other").verdict(on: &scoped, policy)
        #expect(other.reason == .topicDisallowed)
        #expect(
            other.refusal?.sentence
                == "The key TOPICS1234 is for the topic com.example.app, but the push has the topic com.example.other.")
        #expect(push("TOPICS5678").verdict(on: &scoped, policy).reason == nil)
        #expect(push(PushSample.key).verdict(on: &scoped, policy).reason == .unrelatedKeyIDInToken)
        var whole = APNsSession()
        #expect(push(PushSample.key).verdict(on: &whole, policy).reason == nil)
        let unrelated = push("TOPICS1234").verdict(on: &whole, policy)
        #expect(unrelated.reason == .unrelatedKeyIDInToken)
        let end = "is not related to the key \(PushSample.key), with which this connection began"
        #expect(unrelated.refusal?.sentence == "the key TOPICS1234 \(end)")
    }
}

import PushCore
import Testing

@testable import APNs

/// What `lenient` and `strict` think of unusual provider tokens.
@Suite struct ProviderTokenFormTests {
    /// Forms that some senders use or that only the standard knows, and whether `lenient` and `strict` accept them
    /// (docs/evidence/apns.md §3.1).
    static let forms: [(name: String, token: String, lenient: Bool, strict: Bool)] = [
        ("no algorithm", PushSample.token(head: #"{"kid":"ABCDE12345"}"#), true, false),
        ("a null algorithm", PushSample.token(head: #"{"alg":null,"kid":"ABCDE12345"}"#), false, false),
        (
            "critical fields",
            PushSample.token(head: #"{"alg":"ES256","kid":"ABCDE12345","crit":["b64"],"b64":false}"#),
            false, false
        ),
        ("no critical fields", PushSample.token(head: #"{"alg":"ES256","kid":"ABCDE12345","crit":[]}"#), false, false),
        ("a type", PushSample.token(head: #"{"typ":"JWT","alg":"ES256","kid":"ABCDE12345"}"#), true, true),
        (
            "a time as a string", PushSample.token(claims: #"{"iss":"TEAM567890","iat":"1800000000"}"#), true, true
        ),
        (
            "a time with a fraction", PushSample.token(claims: #"{"iss":"TEAM567890","iat":1800000000.25}"#), true, true
        ),
    ]

    @Test(arguments: forms)
    func `strict requires an algorithm, and no token may have critical fields`(
        row: (name: String, token: String, lenient: Bool, strict: Bool)
    ) {
        let sample = PushSample { $0.authorization = "bearer \(row.token)" }
        #expect(sample.verdict().reason == (row.lenient ? nil : .invalidProviderToken))
        let strict = sample.verdict(PushSample.policy { $0.auth = .strict })
        #expect(strict.reason == (row.strict ? nil : .invalidProviderToken))
        if row.name.hasPrefix("no algo") { #expect(strict.refusal?.sentence.contains("no alg") == true) }
        if row.name.contains("critical") { #expect(strict.refusal?.sentence.contains("'crit'") == true) }
    }
}

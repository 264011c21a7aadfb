import PushCore
import Testing

@testable import Inspection

/// Every rule of single inputs, each with an example.
struct RuleTests {
    @Test(arguments: Example.all.indices) func `each example has its kind and the finding of its rule`(index: Int) {
        let example = Example.all[index]
        let input = InspectionInput(example.bytes, name: example.name)
        let report = Inspector.inspect(input, at: Fixtures.now).report
        #expect(report.kind == example.kind.rawValue, "\(example.rule): \(report)")
        #expect(report.problems.contains { $0.rule == example.rule }, "\(example.rule): \(report)")
    }

    /// ComparisonTests and EnvironmentTests have the examples of their rules.
    @Test func `every rule has an example`() {
        let reached = Set(Example.all.map(\.rule))
        for rule in Self.rules where !reached.contains(rule.id) { Issue.record("\(rule.id) has no example") }
    }

    private static func rows<Rule: InspectionRule>(_ type: Rule.Type) -> [(id: String, row: InspectionRow)] {
        type.allCases.map { ($0.rawValue, $0.row) }
    }

    private static let rules =
        rows(KeyRule.self) + rows(CertificateRule.self) + rows(ProviderTokenRule.self) + rows(GoogleTokenRule.self)
        + rows(DeviceTokenRule.self) + rows(GoogleFileRule.self) + rows(TextRule.self) + rows(MessageRule.self)
    private static let others = rows(ComparisonRule.self) + rows(EnvironmentRule.self)

    @Test func `ids are unique, and messages and remedies are sentences`() {
        let all = Self.rules + Self.others
        #expect(Set(all.map(\.id)).count == all.count)
        for (id, row) in all {
            #expect(row.message.hasSuffix(".") || row.message.hasSuffix("?") || row.message.hasSuffix("{}"), "\(id)")
            #expect(row.remedy.hasSuffix("."), "\(id): \(row.remedy)")
            #expect(id.split(separator: ".").count == 2, "\(id)")
        }
    }

    @Test func `values replace the marks of a message in order`() {
        let row = InspectionRow(.error, "{} and {}, then {}.", "Fix it.")
        #expect(row.problem("x.y", ["one", "t\nwo"]).message == "one and t\\u000awo, then .")
        #expect(InspectionRow(.note, "No mark.", "").problem("x.y", ["one"]).message == "No mark.")
    }

    /// `/` is the character between `.` and `0` in ASCII.
    @Test(arguments: [
        ("com.example.app", "apns-topic"), ("com.example-1.my_app9", "apns-topic"), ("com.example/app", "unknown"),
        ("com.example.app:1", "unknown"), ("com.example.a+b", "unknown"), ("com..app", "unknown"), ("app", "unknown"),
        ("1com.example", "unknown"),
    ]) func `a topic has only letters, digits, hyphens and underscores between its dots`(text: String, kind: String) {
        #expect(Fixtures.inspect(text).kind == kind)
    }

    /// A correct input gets no error and no warning.
    @Test func `good inputs have no problems`() {
        let rows: [(String, String?, InspectedKind)] = [
            (Fixtures.text(Fixtures.key), "AuthKey_ABCDE12345.p8", .apnsKey),
            (Fixtures.text(Fixtures.key), "AuthKey_ABCDE12345 (1).p8", .apnsKey),
            (Fixtures.providerToken(), nil, .providerToken),
            (Fixtures.providerToken(issued: "\(Fixtures.seconds).5"), nil, .providerToken),
            (Fixtures.providerToken(issued: "\(Fixtures.seconds - 3600)"), nil, .providerToken),
            (Fixtures.providerToken(issued: "\(Fixtures.seconds + 5)"), nil, .providerToken),
            (Fixtures.assertion(), nil, .assertion), (Fixtures.account(), "account.json", .serviceAccount),
            (Fixtures.deviceToken, nil, .apnsDeviceToken), (Fixtures.deviceToken.uppercased(), nil, .apnsDeviceToken),
            (String(repeating: "a1b2", count: 50), nil, .apnsDeviceToken), (Fixtures.fcmToken, nil, .fcmToken),
            ("dQw4w9WgXcQ_dQw4w9WgXc", nil, .installationID), ("ya29.a0AfB-x.y", nil, .accessToken),
            ("com.example.app", nil, .topic), ("com.example.app.voip", nil, .topic),
            (#"{"aps":{"alert":"Hi"}}"#, "a.apns", .apnsPayload),
            (#"{"message":{"topic":"news","notification":{"title":"Hi"}}}"#, nil, .fcmMessage),
            (Fixtures.certificate(), "c.pem", .clientIdentity),
        ]
        for (text, name, kind) in rows {
            let report = Fixtures.inspect(text, name: name)
            #expect(report.kind == kind.rawValue, "\(report)")
            #expect(report.problems.allSatisfy { $0.severity == .note }, "\(report)")
        }
    }
}

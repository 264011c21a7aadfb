import PushCore
import TLS
import Testing

@testable import Inspection

/// Problems that only two inputs together show.
struct ComparisonTests {
    private static func compare(_ inputs: [(String, String)]) -> [String] {
        let all = inputs.map { Inspector.inspect(InspectionInput(Array($0.0.utf8), name: $0.1), at: Fixtures.now) }
        return Comparison.compare(all).flatMap(\.report.problems).filter { $0.rule.hasPrefix("together.") }.map(\.rule)
    }

    private static let key = (Fixtures.text(Fixtures.key), "AuthKey_ABCDE12345.p8")
    private static let account = (Fixtures.account(), "account.json")
    private static let certificate = (Fixtures.certificate(), "push.pem")

    private static let rows: [(one: (String, String), other: (String, String), rule: ComparisonRule?)] = [
        (account, (Fixtures.services(), "google-services.json"), nil),
        (account, (Fixtures.services(project: "bakery"), "google-services.json"), .otherProject),
        (
            (Fixtures.services(), "google-services.json"), (Fixtures.services(number: "2"), "other.json"), .otherSender
        ),
        ((Fixtures.services(), "google-services.json"), (Fixtures.propertyList(), "Info.plist"), nil),
        (key, (Fixtures.providerToken(), "token"), nil),
        ((Fixtures.text(Fixtures.otherKey), "AuthKey_ABCDE12345.p8"), (Fixtures.providerToken(), "token"), .signature),
        ((key.0, "AuthKey_FGHIJ12345.p8"), (Fixtures.providerToken(), "token"), .keyID),
        (account, (Fixtures.assertion(), "claims"), nil),
        (
            account, (Fixtures.assertion(times: #""iat":1,"exp":2"#).dropLast(8) + "AAAAAAAA", "claims"),
            .accountSignature
        ),
        (account, (Fixtures.assertion(issuer: "x@y"), "claims"), .account),
        (certificate, ("com.example.app.voip", "topic"), nil),
        (certificate, ("com.example.app.push-type.liveactivity", "topic"), .topic),
        (certificate, ("com.example.other", "topic"), .topic),
        (certificate, (Fixtures.propertyList(), "Info.plist"), nil),
        (certificate, (Fixtures.propertyList(bundle: "com.example.other"), "Info.plist"), .bundleID),
        (
            key, (Fixtures.text((try? Fixtures.identity().certificate.pem) ?? []), "push.cer.pem"), .key
        ),
    ]

    @Test(arguments: rows.indices) func `two inputs are compared in either order`(index: Int) {
        let row = Self.rows[index]
        let expected = [row.rule?.rawValue].compactMap(\.self)
        #expect(Self.compare([row.one, row.other]) == expected)
        #expect(Self.compare([row.other, row.one]) == expected)
    }

    @Test func `every rule about two inputs has an example`() {
        #expect(Set(Self.rows.compactMap(\.rule)) == Set(ComparisonRule.allCases))
    }

    @Test func `together with a service account, an app's configuration is not an error`() {
        let inputs = [Self.account, (Fixtures.services(), "google-services.json")]
            .map { Inspector.inspect(InspectionInput(Array($0.0.utf8), name: $0.1), at: Fixtures.now) }
        #expect(inputs.map(\.report.hasErrors) == [false, true])
        #expect(Comparison.compare(inputs).map(\.report.hasErrors) == [false, false])
        #expect(Comparison.compare(Array(inputs.dropFirst())).map(\.report.hasErrors) == [true])
    }

    @Test func `the finding is in the report of the later input, and names both`() throws {
        let inputs = [Self.account, (Fixtures.services(project: "bakery"), "google-services.json")]
            .map { Inspector.inspect(InspectionInput(Array($0.0.utf8), name: $0.1), at: Fixtures.now) }
        let compared = Comparison.compare(inputs)
        #expect(compared[0].report == inputs[0].report)
        let problem = try #require(compared[1].report.problems.last)
        #expect(problem.message == "account.json is for the project 'shop', but google-services.json is for 'bakery'.")
        #expect(compared[1].report.answers.map(\.text) == ["403 SENDER_ID_MISMATCH, SenderId mismatch"])
    }
}

import JSON
import PushCore
import Testing

@testable import FCM

/// The validation of messages in files: what is refused, where, and that it agrees with sending.
@Suite struct MessageReportTests {
    private func report(_ body: String, isStrict: Bool = true) -> MessageReport {
        MessageReport(Array(body.utf8), isStrict: isStrict)
    }

    static let rows: [(body: String, rule: String, path: String, at: String)] = [
        (#"{"message":{"topic":"a/b"}}"#, "fcm.topic-name", "/message/topic", #""a/b""#),
        (#"{"message":{"condition":"x"}}"#, "fcm.condition", "/message/condition", #""x""#),
        (#"{"message":{"token":"short"}}"#, "fcm.token-malformed", "/message/token", #""short""#),
        (#"{"message":{"data":{}}}"#, "fcm.no-target", "/message", #"{"data":{}}"#),
        (#"{"message":{"topic":"a","x":1}}"#, "fcm.conversion", "/message", #""x":1"#),
        (
            #"{"message":{"topic":"a","android":{"ttl":"-1s"}}}"#, "fcm.ttl", "/message/android/ttl", #""-1s""#
        ),
        (
            #"{"message":{"topic":"a","fcmOptions":{"analyticsLabel":"a b"}}}"#, "fcm.analytics-label",
            "/message/fcm_options/analytics_label", #""a b""#
        ),
        (#"{"message":{"topic":"a" "b"}}"#, "fcm.not-json", "/", #""b"}}"#),
        (#"{"message":{"topic":"\ud800"}}"#, "fcm.not-json", "/", #"\ud800"#), ("[]", "fcm.conversion", "/", "[]"),
    ]

    @Test(arguments: [
        (#"{"message":{"topic":"a","notification":{"imageUrl":"https://a.example/b.png"}}}"#, "image", "imageUrl"),
        (#"{"message":{"topic":"a","notification":{"image-url":"https://a.example/b.png"}}}"#, "image", "image-url"),
        (#"{"message":{"topic":"a","fcm_option":{}}}"#, "fcmOptions", "fcm_option"),
        (#"{"message":{"topic":"a","notification":{"titel":"x"}}}"#, "title", "titel"),
        (#"{"mesage":{"topic":"a"}}"#, "message", "mesage"),
        (#"{"message":{"topic":"a","android":{"collapse-key":"k"}}}"#, "collapseKey", "collapse-key"),
    ]) func `an unknown name is refused, and a finding says which field was probably meant`(
        body: String, field: String, name: String
    ) {
        let report = report(body)
        #expect(report.isRefused)
        let found = report.entries.filter { $0.finding.rule.description == "fcm.misspelled-key" }
        #expect(found.count == 1)
        #expect(found.first?.finding.path.hasSuffix("/\(name)") == true)
        #expect(found.first?.finding.message.hasPrefix("Did you mean '\(field)'?") == true)
        #expect(found.first?.isRefusal == false)
    }

    @Test(arguments: [#"{"message":{"topic":"a","x":1}}"#, #"{"message":{"topic":"a","notification":{"url":"u"}}}"#])
    func `nothing is guessed about a name that resembles none`(body: String) {
        #expect(report(body).entries.map(\.isRefusal) == [true])
    }

    @Test(arguments: rows.indices) func `a refusal has its rule, path and offset`(row: Int) throws {
        let (body, rule, path, text) = Self.rows[row]
        let report = report(body)
        #expect(report.isRefused)
        let entry = try #require(report.entries.first { $0.isRefusal })
        #expect(entry.finding.rule.description == rule)
        #expect(entry.finding.path == path)
        let rest = String(decoding: Array(body.utf8)[entry.offset...], as: UTF8.self)
        #expect(rest.hasPrefix(text), "\(body): \(rest)")
    }

    /// A body may have a hundred levels: two objects and 98 arrays.
    @Test func `a fault is found at the deepest level and below it`() throws {
        func fault(_ arrays: Int, _ text: String) throws -> Int {
            let head = #"{"message":{"data":"# + String(repeating: "[", count: arrays)
            let report = report(head + text + String(repeating: "]", count: arrays) + "}}")
            return try #require(report.entries.first { $0.isRefusal }).offset - head.utf8.count
        }
        #expect(try fault(98, #""\ud800""#) == 1)
        // The bracket that opens one level too many.
        #expect(try fault(99, "1") == -1)
    }

    @Test func `each conversion error has its own entry and offset`() {
        let report = report(#"{"message":{"topic":"a","one":1,"two":2,"data":{"k":3}}}"#)
        #expect(report.entries.map(\.offset) == [24, 32, 48])
        #expect(report.entries.allSatisfy { $0.isRefusal })
    }

    @Test func `findings of an accepted message are no refusals`() {
        let body = #"{"message":{"topic":"a","data":{"mutable-content":"1"}}}"#
        let report = report(body)
        #expect(!report.isRefused)
        #expect(report.entries.map(\.finding.rule.description) == ["fcm.mutable-content-misplaced"])
        #expect(report.entries.map(\.offset) == [50])
    }

    @Test func `media faults are refusals with strict only`() {
        let body = #"{"message":{"topic":"a","apns":{"fcm_options":{"image":"https://a.example/b.png"}}}}"#
        #expect(report(body).isRefused)
        #expect(!report(body, isStrict: false).isRefused)
        #expect(report(body, isStrict: false).entries.map(\.isRefusal) == [false])
    }

    @Test(arguments: [
        #"{"message":{"token":"unregistered:x"}}"#, #"{"message":{"token":"\#(FCMCase.token)"}}"#,
        #"{"message":{"token":"\#(FCMCase.installation)"}}"#, #"{"message":{"topic":"a"},"validate_only":true}"#,
    ]) func `well-formed messages are accepted`(body: String) {
        #expect(report(body).entries.map(\.finding.rule.description) == ["fcm.nothing-to-deliver"])
    }

    @Test func `a message without content is a finding`() {
        let empty = report(#"{"message":{"topic":"a","fcm_options":{"analytics_label":"l"}}}"#)
        #expect(empty.entries.map(\.finding.rule.description) == ["fcm.nothing-to-deliver"])
        #expect(!empty.isRefused)
    }

    @Test(arguments: FCMDialectTests.rows) func `the report agrees with the send API`(row: FCMDialectTests.Row) {
        // Whether an installation exists is not known without a registry.
        guard row.reason != "UNREGISTERED" else { return }
        #expect(report(#"{"message":\#(row.message)}"#).isRefused == (row.status != 200))
    }

    @Test(arguments: [
        (#"{"message":{"topic":"a","x":1}}"#, #""x""#), (#"{"topic":"a","data":{"k":1}}"#, #""k":1"#),
    ]) func `offsets in a bare message are those of the file`(text: String, at: String) throws {
        let file = try #require(MessageFile(Array(text.utf8)))
        let entry = try #require(MessageReport(file.body, isStrict: true).entries.first)
        let offset = try #require(file.offset(entry.offset))
        #expect(String(decoding: Array(text.utf8)[offset...], as: UTF8.self).hasPrefix(at))
    }

    @Test func `offsets in a converted message are not those of the file`() throws {
        #expect(try #require(MessageFile(Array(#"{"to":"T"}"#.utf8))).offset(5) == nil)
    }
}

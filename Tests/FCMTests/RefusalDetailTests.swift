import JSON
import PushCore
import Testing

@testable import FCM

/// What the log, the list of messages and `check` say about a refused message: the wrong value, and what would be right.
@Suite struct RefusalDetailTests {
    private static func row(_ message: String, _ detail: String, at place: String) -> (String, String, String) {
        (#"{"message":\#(message)}"#, detail, place)
    }

    private static let id = String(repeating: "i", count: 22)

    static let rows = [
        row(#"{"topic":"a b"}"#, "The topic name 'a b' contains ' ', which is not allowed.", at: "/message/topic"),
        row(#"{"topic":"/topics/a"}"#, "The topic name '/topics/a' begins with /topics/.", at: "/message/topic"),
        row(
            #"{"topic":"\#(String(repeating: "t", count: 901))"}"#,
            "The topic name has 901 characters, but 1 to 900 are allowed.", at: "/message/topic"),
        row(
            #"{"condition":"'a' in topic"}"#, "The condition can't be read from character 8 on: 'topic'.",
            at: "/message/condition"),
        row(
            #"{"condition":"'a' in topics & 'b' in topics"}"#,
            "The condition can't be read from character 15 on: '& 'b' in topics'.", at: "/message/condition"),
        row(
            #"{"condition":"'a' in topics &&"}"#, "The condition ''a' in topics &&' ends too early.",
            at: "/message/condition"),
        row(
            #"{"condition":"\#((1...6).map { "'t\($0)' in topics" }.joined(separator: " || "))"}"#,
            "The condition names more than 5 topics.", at: "/message/condition"),
        row(
            #"{"token":"\#(String(repeating: "a1", count: 32))"}"#,
            "The token has 64 hex digits, like a device token of APNs; FCM needs the registration token that Firebase's SDK gives the app.",
            at: "/message/token"),
        row(
            #"{"token":"short"}"#, "The token has no colon, but a registration token looks like ID:APA91….",
            at: "/message/token"),
        row(
            #"{"token":"a:b:c"}"#, "The token has more than one colon, but a registration token looks like ID:APA91….",
            at: "/message/token"),
        row(#"{"token":"a b"}"#, "The token contains ' ', which no registration token has.", at: "/message/token"),
        row(
            #"{"token":"abc:APA91"}"#, "The token has 3 characters before its colon, but 8 to 64 are normal.",
            at: "/message/token"),
        row(
            #"{"token":"\#(id):xyz"}"#, "The part of the token after its colon does not begin with APA91.",
            at: "/message/token"),
        row(
            #"{"token":"\#(id):APA91abc"}"#,
            "The token has 8 characters after its colon, but at least 85 are normal, so it may be cut off.",
            at: "/message/token"),
        row(
            #"{"topic":"t","data":{"from":"x","k":"y","google.a":"z"}}"#,
            "message.data has the reserved keys 'from', 'google.a'.", at: "/message/data"),
        row(
            #"{"topic":"t","android":{"notification":{"color":"red"}}}"#,
            #"message.android.notification.color is "red"."#, at: "/message/android/notification/color"),
        row(#"{"topic":"t","android":{"ttl":"-1s"}}"#, #"message.android.ttl is "-1s"."#, at: "/message/android/ttl"),
        row(
            #"{"topic":"t","webpush":{"headers":{"ttl":"soon"}}}"#, "message.webpush.headers.ttl is 'soon'.",
            at: "/message/webpush/headers/TTL"),
    ]

    @Test(arguments: rows) func `a refusal names the wrong value, and the remedy follows`(
        row: (body: String, detail: String, place: String)
    ) throws {
        var sender = FCMSender()
        let request = FCMCase.send(row.body)
        let outcome = FCMDialect(sender.policy).decide(
            FCMDialect.Call(request, project: FCMCase.project, at: sender.now), sender.bearers, &sender.memo,
            known: { _, _ in nil }, using: &sender.random)
        let rule = try #require(outcome.answer.rule.flatMap { id in FCMRules.all.first { $0.id == id } })
        let finding = try #require(outcome.answer.findings.last)
        #expect(finding == Finding(rule.id.description, .error, at: row.place, row.detail))
        #expect(outcome.answer.because == "\(row.detail) \(rule.remedy)")
        let entry = try #require(MessageReport(Array(row.body.utf8), isStrict: true).entries.first { $0.isRefusal })
        #expect(entry.finding == finding, "check says the same")
    }
}

import PushCore
import Testing

@testable import FCM

/// What counts towards the size of a message.
@Suite struct MessageSizeTests {
    /// The rule that refuses a message to a topic; nil if it is accepted.
    private func refusal(_ members: String) -> String? {
        var sender = FCMSender()
        return sender.post(#"{"message":{"topic":"t",\#(members)}}"#).rule
    }

    /// Whether a message of this size is accepted, and one that has a byte more is refused. `X` is the filling.
    private func expectBoundary(_ members: String, overhead: Int, _ comment: Comment) {
        for (count, rule) in [(4506 - overhead, nil), (4507 - overhead, "fcm.too-large")] {
            let text = members.split(separator: "X", maxSplits: 1, omittingEmptySubsequences: false)
                .joined(separator: String(repeating: "x", count: count))
            #expect(refusal(text) == rule, comment)
        }
    }

    @Test(arguments: [("topic", "t"), ("token", FCMCase.token), ("condition", "'a' in topics")])
    func `every target has the observed size limit`(field: String, target: String) {
        for (count, rule) in [(4505, nil), (4506, "fcm.too-large")] {
            var sender = FCMSender()
            let value = String(repeating: "x", count: count)
            let body = #"{"message":{"\#(field)":"\#(target)","data":{"k":"\#(value)"}}}"#
            #expect(sender.post(body).rule == rule)
        }
    }

    static let counted: [(members: String, overhead: Int)] = [
        (#""data":{"key":"X","other":"12"}"#, 10), (#""notification":{"title":"ab","body":"X"}"#, 2),
        (#""android":{"notification":{"channel_id":"c","body":"X","sticky":true,"title_loc_args":["a","b"]}}"#, 7),
        (#""data":{"a":"b"},"android":{"collapse_key":"k","notification":{"body":"X"}}"#, 2),
        (#""data":{"a":"b"},"android":{"data":{"key":"X"}}"#, 3),
        (#""notification":{"title":"abc","body":"b"},"android":{"notification":{"title":"X"}}"#, 1),
        (#""android_v2":{"remote_notification":{"mutable_content":true,"notification":{"title":"X"}}}"#, 0),
        (
            #""webpush":{"notification":{"title":"t","actions":[{"action":"a","title":"X"}],"silent":false,"x":null}}"#,
            7
        ),
        (#""notification":{"title":"abc"},"webpush":{"data":{"a":"b"},"notification":{"title":"X"}}"#, 2),
        (#""data":{"a":"b"},"apns":{"payload":{"aps":{"alert":"X"}}}"#, 22),
        (#""notification":{"title":"t"},"apns":{"payload":{"aps":{"alert":"X"}}}"#, 20),
        (#""notification":{"title":"t"},"apns":{"payload":{"aps":{"badge":1},"k":"X"}}"#, 27),
        (#""data":{"a":"ü€😀"},"notification":{"body":"X"}"#, 10),
    ]

    @Test(arguments: counted.indices) func `the size counts data with its keys and notifications without them`(
        row: Int
    ) {
        expectBoundary(Self.counted[row].members, overhead: Self.counted[row].overhead, "\(Self.counted[row].members)")
    }

    @Test func `data and the payload for Apple add up`() {
        let part = String(repeating: "x", count: 2400)
        let data = #""data":{"a":"\#(part)"}"#
        #expect(refusal(data + #","android":{"data":{"b":"\#(part)"}}"#) == nil)
        #expect(refusal(data + #","apns":{"payload":{"aps":{"alert":"\#(part)"}}}"#) == "fcm.too-large")
        #expect(refusal(data + #","notification":{"body":"\#(part)"}"#) == "fcm.too-large")
    }
}

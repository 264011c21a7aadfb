import Devices
import FCM
import JSON
import PushCore
import Testing

@testable import PushEngine

/// Data messages to iPhones, which Google refuses with priority 10.
@Suite struct AppleDataPriorityTests {
    /// Members of a data message, and whether it is refused when it goes to one iPhone.
    static let dataMessages: [(members: String, isRefused: Bool)] = [
        (#""data":{"a":"b"},"apns":{"headers":{"apns-priority":"10"}}"#, true),
        (
            #""data":{"a":"b"},"apns":{"headers":{"Apns-Priority":"10"},"payload":{"aps":{"content-available":1}}}"#,
            true
        ),
        (
            #""data":{"a":"b"},"apns":{"headers":{"apns-priority":"5"},"payload":{"aps":{"content-available":1}}}"#,
            false
        ),
        (#""data":{"a":"b"},"apns":{"payload":{"aps":{"content-available":1}}}"#, false), (#""data":{"a":"b"}"#, false),
        (
            #""data":{"a":"b"},"apns":{"headers":{"apns-priority":"10"},"payload":{"aps":{"alert":null,"sound":null}}}"#,
            true
        ),
        (#""notification":{"title":"x"},"data":{"a":"b"},"apns":{"headers":{"apns-priority":"10"}}"#, false),
        (#""data":{"a":"b"},"apns":{"headers":{"apns-priority":"10"},"payload":{"aps":{"alert":"x"}}}"#, false),
        (#""apns":{"headers":{"apns-priority":"10"},"payload":{"aps":{"event":"end","timestamp":1}}}"#, false),
    ]

    @Test(arguments: dataMessages) func `a data message to an iPhone must not have priority 10`(
        row: (members: String, isRefused: Bool)
    ) {
        let fixture = EngineFixture()
        fixture.make("d")
        fixture.make("a", .android)
        let answer = fixture.message(to: "d", row.members)
        #expect(answer.description == (row.isRefused ? "400 INVALID_ARGUMENT" : "200"))
        #expect((fixture.take().last == "refused p1 fcm.data-priority 400 INVALID_ARGUMENT") == row.isRefused)
        #expect(fixture.message(to: "a", row.members).status == 200)
        #expect(fixture.message(#""topic":"t",\#(row.members)"#).status == 200)
        let target = #""token":"\#(EngineFixture.fcmToken)""#
        let isForApple = row.members.contains("apns")
        #expect(fixture.message("\(target),\(row.members)").status == (row.isRefused && isForApple ? 400 : 200))
    }

    @Test func `the reported answer to a data message with priority 10 can be chosen`() {
        func details(_ answer: String?) -> [String] {
            let fixture = EngineFixture { $0.fcmAnswers = answer.flatMap(RecordedAnswer.named).map { [$0] } ?? [] }
            fixture.make("d")
            let answer = fixture.message(to: "d", #""data":{"a":"b"},"apns":{"headers":{"apns-priority":"10"}}"#)
            #expect(answer.json?["error"]?["message"]?.string == "Request contains an invalid argument.")
            return answer.json?["error"]?["details"]?.elements.compactMap {
                $0["fieldViolations"]?[0]?["description"]?.string ?? $0["errorCode"]?.string
            } ?? []
        }
        #expect(details(nil) == ["INVALID_ARGUMENT"])
        #expect(details("apns-dataonly-priority") == ["Invalid registration token", "INVALID_ARGUMENT"])
    }
}

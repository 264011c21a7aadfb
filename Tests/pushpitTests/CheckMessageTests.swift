import APNs
import PushCore
import Testing

@testable import pushpit

/// `pushpit check` of messages that reach iPhones: it says what the gateway answers, and what Apple does.
@Suite struct CheckMessageTests {
    private static let token = "cABCDEFGHIJKLMNOPQRSTU:APA91" + String(repeating: "b", count: 134)

    private func check(_ target: String, _ members: String, isStrict: Bool = true) -> Check.Result {
        let text = "{\"message\":{\(target),\n\(members)}}"
        return Check.check(
            Array(text.utf8), "FILE", nil, isStrict ? .strict : .service,
            at: Timestamp(milliseconds: 1_800_000_000_000))
    }

    private static func apns(_ name: String, _ value: String) -> String {
        #""notification":{"title":"t"},"apns":{"headers":{"\#(name)":"\#(value)"}}"#
    }

    /// The members of a message, Apple's reason, and the column of the value in the second line.
    static let refusals: [(members: String, reason: String, column: Int)] = [
        (apns("apns-priority", "7"), "400 BadPriority", 65),
        (apns("apns-collapse-id", String(repeating: "k", count: 65)), "400 BadCollapseId", 68),
        (apns("apns-push-type", "foo"), "400 InvalidPushType", 66),
        (apns("apns-push-type", "voip"), "400 DeviceTokenNotForTopic", 66),
        (apns("apns-expiration", "soon"), "400 BadExpirationDate", 67),
        (apns("apns-id", "1"), "400 BadMessageId", 59), (apns("apns-topic", "a b"), "400 BadTopic", 62),
        (
            #""apns":{"payload":{"aps":{"alert":"\#(String(repeating: "x", count: 4000))"}}}"#, "413 PayloadTooLarge", 0
        ),
    ]

    @Test(arguments: refusals.indices) func `a message to an iPhone is refused if Apple refuses it`(index: Int) throws {
        let row = Self.refusals[index]
        let result = check(#""token":"\#(Self.token)""#, row.members)
        #expect(result.isRefused)
        let lines = result.text.split(separator: "\n").map(String.init)
        let place = row.column == 0 ? "FILE:1:12" : "FILE:2:\(row.column)"
        #expect(lines.count == 3)
        #expect(lines[1].hasPrefix("  fix: "))
        #expect(try #require(lines.first).hasPrefix("\(place): error: "), "\(result.text)")
        #expect(lines.first?.hasSuffix(" [apns.\(row.reason.split(separator: " ")[1])]") == true, "\(result.text)")
        #expect(lines.last == "FILE: refused")
        #expect(Check.Threshold.allCases.map { result.fails(on: $0) } == [true, true, true])
    }

    @Test(arguments: refusals.indices, [#""topic":"a""#, #""condition":"'a' in topics""#])
    func `a message to a topic is accepted with a warning`(index: Int, target: String) throws {
        let row = Self.refusals[index]
        let result = check(target, row.members)
        let lines = result.text.split(separator: "\n").map(String.init)
        let place = row.column == 0 ? "FILE:1:12" : "FILE:2:\(row.column)"
        let start = "\(place): warning: Apple refuses this message for every iPhone with \(row.reason): "
        #expect(try #require(lines.first).hasPrefix(start), "\(result.text)")
        #expect(lines.first?.hasSuffix(" [fcm.refused-by-apple]") == true)
        let fix = "  fix: Correct what the finding names, or shorten the message."
        #expect(Array(lines.dropFirst()) == [fix, "FILE: accepted"])
        #expect(Check.Threshold.allCases.map { result.fails(on: $0) } == [false, true, true])
    }

    @Test(arguments: [
        (#""token":"TOKEN""#, #","android":{}"#), (#""token":"TOKEN""#, #","webpush":{}"#),
        (#""token":"TOKEN""#, #"},"validate_only":true,"#),
    ]) func `a message that need not be for an iPhone, and a dry run, are accepted`(target: String, more: String) {
        let isDryRun = more.hasPrefix("}")
        let text = target.replacing("TOKEN", with: Self.token)
        let members = Self.apns("apns-priority", "7")
        let result =
            isDryRun
            ? Check.check(
                Array("{\"validate_only\":true,\"message\":{\(text),\(members)}}".utf8), "FILE", nil, .strict,
                at: Timestamp(milliseconds: 0))
            : check(text, members + more)
        #expect(result.text == "FILE: accepted\n")
    }

    @Test func `what the gateway refuses before it asks Apple is refused as well`() {
        let urgent = check(
            #""token":"\#(Self.token)""#, #""data":{"a":"b"},"apns":{"headers":{"apns-priority":"10"}}"#)
        #expect(urgent.isRefused)
        #expect(urgent.text.contains("FILE:2:53: error: "), "\(urgent.text)")
        #expect(urgent.text.contains("[fcm.data-priority]"))
        #expect(check(#""fid":"x""#, #""data":{"a":"b"}"#).text.contains(": error: "))
    }

    @Test func `strict refuses a payload that no iPhone can use, at its place`() {
        let members = #""apns":{"payload":{"aps":{"alert":"x","interruption-level":5}}}"#
        let strict = check(#""token":"\#(Self.token)""#, members)
        #expect(strict.isRefused)
        #expect(strict.text.hasPrefix("FILE:2:60: error: "), "\(strict.text)")
        #expect(strict.text.contains(" [aps.wrong-type]\n  fix: "))
        #expect(strict.text.hasSuffix("\nFILE: refused\n"), "\(strict.text)")
        #expect(strict.text.split(separator: "\n").count == 3)
        for accepted in [
            check(#""token":"\#(Self.token)""#, members, isStrict: false), check(#""topic":"a""#, members),
        ] {
            #expect(accepted.text.hasPrefix("FILE:2:60: warning: "), "\(accepted.text)")
            #expect(accepted.text.contains(" [aps.wrong-type]\n  fix: "))
            #expect(accepted.text.hasSuffix("\nFILE: accepted\n"))
        }
    }
}

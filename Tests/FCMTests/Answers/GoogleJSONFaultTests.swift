import JSON
import Testing

@testable import FCM

/// The texts of Google's JSON parser: the reason, the text around the fault, and a caret under its first character.
@Suite struct GoogleJSONFaultTests {
    static let rows: [(body: String, reason: String, marked: String)] = [
        (#"{"a":"\ud800"}"#, "Missing low surrogate.", #"\"#),
        (#"{"a":"\ud800\u0041"}"#, "Invalid low surrogate.", #"\"#),
        (#"{"a":"\udc00"}"#, "Invalid unicode code point.", #"\"#),
        (#"{"a":1e999}"#, "Number exceeds the range of double.", "1"),
        (#"{"a":"# + String(repeating: "9", count: 400) + "}", "Number exceeds the range of double.", "9"),
        (
            String(repeating: #"{"k":"#, count: 101) + "1" + String(repeating: "}", count: 101),
            "Message too deep. Max recursion depth reached for key 'k'", "{"
        ),
        (
            "{'a b':" + String(repeating: "[", count: 103) + String(repeating: "]", count: 103) + "}",
            "Message too deep. Max recursion depth reached for key 'a b'", "["
        ),
        (#"{"a":tru}"#, "Expected a value.", "t"), (#"{"a" 1}"#, "Expected : between key:value pair.", "1"),
        (#"{"a":[1 2]}"#, "Expected , or ] after array value.", "2"),
        (#"{"a":1 "b":2}"#, "Expected , or } after key:value pair.", "\""),
        (#"{} x"#, "Parsing terminated before end of input.", "x"),
    ]

    @Test(arguments: rows.indices) func `a fault has its text and its place`(index: Int) throws {
        let row = Self.rows[index]
        var sender = FCMSender()
        let decision = sender.post(row.body)
        #expect(decision.status == 400 && decision.rule == "fcm.not-json")
        let error = try #require(try FCMCase.document(decision.response.text).root["error"])
        let message = try #require(error["message"]?.string)
        #expect(error["details"]?[0]?["fieldViolations"]?[0]?["description"]?.string == message)
        let lines = message.split(separator: "\n", omittingEmptySubsequences: false)
        try #require(lines.count == 3)
        #expect(lines[0] == "Invalid JSON payload received. \(row.reason)")
        #expect(lines[2].last == "^" && lines[2].dropLast().allSatisfy { $0 == " " })
        #expect(lines[1].dropFirst(lines[2].count - 1).hasPrefix(row.marked), "\(message)")
    }
}

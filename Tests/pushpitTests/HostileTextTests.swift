import APNs
import HTTPCore
import JSON
import PushCore
import Testing

@testable import pushpit

/// Text of others in what the commands print: file names, payloads and a server's words.
@Suite struct HostileTextTests {
    private static let hostile = "x\n\t\u{1B}\u{9B}\u{202E}forged"
    /// The same inside a JSON string.
    private static let escaped = "x\\n\\t\\u001b\u{9B}\u{202E}forged"

    /// Expects that no part of a hostile text can control the terminal or look like a line of ours.
    private func expectHarmless(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
        let controls = text.unicodeScalars.filter { $0 != "\n" && String($0).onOneLine != String($0) }
        #expect(controls.isEmpty, "\(text.debugDescription)", sourceLocation: sourceLocation)
        for line in text.unicodeScalars.split(separator: "\n") {
            let start = String(line).drop { " \t".contains($0) }
            #expect(!start.hasPrefix("forged"), "\(text)", sourceLocation: sourceLocation)
            #expect(!start.hasPrefix("\\u0009"), "\(text)", sourceLocation: sourceLocation)
        }
        #expect(text.contains("forged"), "\(text)", sourceLocation: sourceLocation)
    }

    @Test(arguments: [
        #"{"aps":{"alert":"x","HOSTILE":1}}"#, #"{"aps":{"alert":"x","interruption-level":"HOSTILE"}}"#,
        #"{"aps":{"alert":"x"},"HOSTILE":1,"HOSTILE":2}"#, #"{"topic":"HOSTILE"}"#, #"{"topic":"a","HOSTILE":1}"#,
        #"{"topic":"a","data":{"HOSTILE":1}}"#, #"{"topic":"a","data":{"HOSTILE":"1","HOSTILE":"2"}}"#,
        #"{"topic":"a","android":{"priority":"HOSTILE"}}"#, #"{"to":"/topics/a","HOSTILE":1}"#,
        #"{"to":"/topics/a","priority":["HOSTILE"]}"#, #"{"to":"HOSTILE","data":{"HOSTILE":["HOSTILE"]}}"#,
        "{\"to\":\"a\",\"priority\":[\n\"forged\"]}",
    ]) func `check shows a payload's texts and the file name on one line`(text: String) {
        let text = text.replacing("HOSTILE", with: Self.escaped)
        for name in ["FILE", Self.hostile] where name != "FILE" || text.contains("x\\n") {
            let now = Timestamp(milliseconds: 1_800_000_000_000)
            let result = Check.check(Array(text.utf8), name, nil, .strict, at: now)
            if name == "FILE" {
                #expect(!result.text.contains("\nforged") && !result.text.contains("\u{1B}"), "\(result.text)")
            } else {
                expectHarmless(result.text)
            }
        }
    }

    @Test(arguments: ["HOSTILE", #"{"reason":"ESCAPED"}"#, "[\n  \"ESCAPED\"\n]", "{\"reason\":\n\nHOSTILE"])
    func `send shows a server's answer and its words on lines of their own`(body: String) {
        let body = body.replacing("ESCAPED", with: Self.escaped).replacing("HOSTILE", with: Self.hostile)
        let answer = Response(
            status: 400, headers: HeaderBlock([HeaderName("apns-id"): Self.hostile]), body: .bytes(Array(body.utf8)))
        expectHarmless(Send.text(of: answer))
    }

    @Test func `send shows what the gateway found on one line`() throws {
        let push = SentPush(
            provider: .apns, body: Array("{}".utf8), answer: Response(status: 200, headers: HeaderBlock([:])))
        let finding = #"{"rule":"ESCAPED","severity":"note","message":"ESCAPED","path":"ESCAPED"}"#
        let list = #"{"messages":[{"why":"ESCAPED","findings":[FINDING],"request":{"body":{}}}]}"#
            .replacing("FINDING", with: finding).replacing("ESCAPED", with: Self.escaped)
        let entry: JournalEntry = try #require(JournalEntry(of: push, in: Array(list.utf8)))
        expectHarmless(Explanation.text(of: push, entry))
    }

    @Test(arguments: [200, 417, 400]) func `expect shows a gateway's words on lines of their own`(status: Int) {
        let body = #"""
            {"error":{"message":"ESCAPED"},"count":1,"messages":["ESCAPED"],"why":"ESCAPED","unlisted":"ESCAPED",
            "nearest":[{"message":"ESCAPED","differs":[{"at":"ESCAPED","got":["ESCAPED",
            "forged"],"expected":"ESCAPED"}]}]}
            """#.replacing("ESCAPED", with: Self.escaped)
        let found = Expect.result(status, Array(body.utf8), isJSON: false)
        expectHarmless(found.output + (found.failure?.lines ?? []).asLines)
    }

    @Test(arguments: [
        #"{"type":"welcome","device":{"id":"ESCAPED","platform":"ESCAPED","app":"ESCAPED","tokens":TOKENS},"ignored":["ESCAPED"]}"#,
        #"{"type":"welcome","device":{"id":"ESCAPED","platform":"ios","app":"ESCAPED"}}"#,
        #"{"type":"push","id":"ESCAPED"}"#, #"{"type":"token","provider":"ESCAPED","new":"ESCAPED"}"#,
        #"{"type":"error","message":"ESCAPED"}"#,
        #"{"type":"event","kind":"ESCAPED","why":"ESCAPED","time":"2026-11-22T10:ESCAPED","data":{"ESCAPED":"ESCAPED"}}"#,
        "{\"type\":\"event\",\"kind\":\"a\",\"data\":{\"a\":[\n\"forged\"]}}",
        #"{"type":"event","kind":"presented","data":{"key":"ESCAPED","title":"ESCAPED","body":"ESCAPED","image":"ESCAPED","actions":[{"title":"ESCAPED"}],"surfaces":["ESCAPED"]}}"#,
    ]) func `device shows a gateway's words and a payload's texts on lines of their own`(frame: String) throws {
        let tokens = #"{"apns":{"token":"ESCAPED"},"fcm":{"token":"ESCAPED","fid":"ESCAPED"}}"#
        let frame = frame.replacing("TOKENS", with: tokens).replacing("ESCAPED", with: Self.escaped)
        for isJSON in [false, true] {
            var view = DeviceView(url: "http://127.0.0.1:2197", isJSON: isJSON)
            let received = view.receive(Array(frame.utf8))
            let text = try #require(received)
            expectHarmless(text)
            if isJSON { #expect(text.split(separator: "\n").count == 1) }
        }
    }

    @Test func `the banner shows a directory on one line`() { expectHarmless(Banner.quoted(Self.hostile)) }
}

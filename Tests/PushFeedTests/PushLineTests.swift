import Devices
import JSON
import PushCore
import PushEngine
import Testing

@testable import PushFeed

/// The line about one push: what it says, and how it looks.
@Suite struct PushLineTests {
    private static let image = #""fcm_options":{"image":"https://e.com/a.png"}"#

    /// The spec of the device after its app, the payload, and the line from the title on.
    private static let apple: [(String, String, String)] = [
        ("", #"{"aps":{"alert":"Hello"}}"#, #""Hello"                  200 presented"#),
        ("", #"{"aps":{"alert":{"title":"T","body":"B"}}}"#, #""T"                      200 presented"#),
        ("", #"{"aps":{"badge":3}}"#, "(no text)                200 badge 3"),
        ("", #"{"aps":{"sound":"default"}}"#, "(no text)                200 sound played"),
        (
            #","state":{"online":false}"#, #"{"aps":{"alert":"Hello"}}"#,
            #""Hello"                  200 waiting: the device is offline"#
        ),
        (
            #","state":{"permission":"denied"}"#, #"{"aps":{"alert":"a","badge":1}}"#,
            #""a"                      200 dropped: the person does not allow notifications, and the push does nothing but show one"#
        ),
        (
            "", #"{"aps":{"alert":{"title":"T"},"mutable-content":1},\#(image)}"#,
            #""T"                      200 presented | no image: the app has no notification service extension [ios.no-extension] fix: Add an extension to the app, and to the device: 'extension' in its spec, or --extension of 'pushpit device'."#
        ),
        (
            #","extension":{"script":"firebase"}"#, #"{"aps":{"alert":{"title":"T"},"mutable-content":1},\#(image)}"#,
            #""T"                      200 presented | no image: https://e.com/a.png is not in the media table, and --fetch-media is 'off' [fetch.skipped]"#
        ),
    ]

    @Test(arguments: apple)
    func `the line says what the phone did`(row: (spec: String, payload: String, line: String)) throws {
        let sample = FeedSample()
        let token = try sample.device("d1", "ios", row.spec)
        sample.push(row.payload, to: token)
        let lines = sample.take()
        #expect(lines.count == 1)
        let start = "p1    APNs com.example.app d1 ios       "
        #expect(lines.first?.hasPrefix(start + row.line) == true, "\(lines)")
    }

    @Test func `a refusal is quoted with its remedy`() throws {
        let sample = FeedSample()
        sample.push(#"{"aps":{"alert":"Hello"}}"#, to: "zz")
        let line = try #require(sample.take().first)
        #expect(
            line.hasPrefix(
                #"p1    APNs com.example.app zz           "Hello"                  400 BadDeviceToken: The device token is not 64 to 200 hex digits"#
            ))
        #expect(line.contains(" fix: Send the token as 64 to 200 hex digits"), "\(line)")
        #expect(!line.contains("[apns.BadDeviceToken]"), "the rule has the name of the reason")
    }

    @Test func `a finding of an accepted push is quoted, and a note only if it is asked for`() throws {
        let sample = FeedSample()
        sample.push(#"{"aps":{"alert":"x","content-available":"1"}}"#)
        let line = try #require(sample.take().last)
        let start = #"200 presented (new device; see --unknown-devices) | warning: 'content-available' is "1", not the"#
        #expect(line.contains(start), "\(line)")
        #expect(line.contains("[aps.flag-not-a-number] fix: "), "\(line)")
        sample.push(#"{"aps":{"alert":"x","badge":1.0}}"#)
        let quiet = sample.take()
        sample.push(#"{"aps":{"alert":"x","badge":1.0}}"#)
        #expect(quiet.count == 1 && sample.take(showsNotes: true).count == 1)
    }

    @Test func `three findings are quoted, and the others counted`() throws {
        let sample = FeedSample()
        sample.push(#"{"aps":{"alert":"x","soud":"a","badges":1,"bagde":1}}"#)
        sample.push(#"{"aps":{"alert":"x","soud":"a","badges":1,"bagde":1,"mutable_content":1}}"#)
        sample.push(#"{"aps":{"alert":"x","soud":"a","badges":1,"bagde":1,"mutable_content":1,"contentAvailable":1}}"#)
        let lines = sample.take()
        #expect(lines.map { $0.split(separator: " | warning: ").count - 1 } == [3, 3, 3])
        #expect(!lines[0].contains("more finding"))
        #expect(lines[1].hasSuffix(" | 1 more finding: see /api/v1/messages/p2"), "\(lines[1])")
        #expect(lines[2].hasSuffix(" | 2 more findings: see /api/v1/messages/p3"), "\(lines[2])")
    }

    @Test func `a fault is named`() throws {
        let sample = FeedSample()
        try sample.fault(#"{"effect":{"answer":{"status":503,"reason":"ServiceUnavailable"}},"times":1}"#)
        sample.push(#"{"aps":{"alert":"x"}}"#)
        try sample.fault(#"{"effect":{"reset":"CANCEL"}}"#)
        sample.push(#"{"aps":{"alert":"x"}}"#)
        let lines = sample.take()
        #expect(lines.first?.hasSuffix("503 ServiceUnavailable (fault f1)") == true, "\(lines)")
        #expect(lines.last?.hasSuffix("no answer (fault f2)") == true, "\(lines)")
    }

    @Test func `the line says why an Android phone shows no image`() throws {
        let sample = FeedSample()
        let token = try sample.device("d1", "android")
        sample.message(
            #""token":"\#(token)","notification":{"title":"Sale","image":"http://e.com/a.png"}"#)
        let line = try #require(sample.take().first)
        #expect(line.hasPrefix(#"p1    FCM  com.example.app d1 android   "Sale"  "#), "\(line)")
        #expect(
            line.contains("no image: the URL uses http, which the app does not allow [fetch.http] fix: "), "\(line)")
    }

    @Test func `several devices are counted by what they did`() throws {
        let sample = FeedSample()
        for id in ["d1", "d2", "d3"] {
            try sample.device(id, "android", id == "d3" ? #","state":{"online":false}"# : "")
            try sample.subscribe(id, to: "news")
        }
        sample.message(#""topic":"news","notification":{"title":"To all"}"#)
        #expect(sample.take() == [], "the deliveries have not begun")
        sample.engine.continueFanOuts(10, at: sample.clock)
        let line = try #require(sample.take().first)
        #expect(
            line.hasSuffix(#"topic news   "To all"                 200 3 devices: 2 presented, 1 waiting"#), "\(line)")
    }

    @Test func `long and hostile text is cut and escaped`() throws {
        let sample = FeedSample()
        let title = String(repeating: "long title ", count: 20) + #"\u001b[31m\nforged"#
        let app = "com.example." + String(repeating: "very.", count: 10) + "end"
        sample.push(#"{"aps":{"alert":"\#(title)"}}"#, topic: app)
        sample.push(#"{"aps":{"alert":"\u001b[31m\nforged"}}"#, topic: app)
        let lines = sample.take()
        #expect(lines.allSatisfy { $0.count < 160 && !$0.contains("\u{1B}") && !$0.contains("\n") }, "\(lines)")
        #expect(lines[0].contains("…") && lines[0].contains(".very.end "), "\(lines[0])")
        #expect(lines[1].contains(#""\u001b[31m\u000aforged""#), "\(lines[1])")
    }

    @Test func `colours follow the verdict, and only if they are wanted`() throws {
        let sample = FeedSample()
        sample.push(#"{"aps":{"alert":"x"}}"#)
        sample.push(#"{"aps":{"alert":"x"}}"#, to: "zz")
        let texts = sample.feed.lines(sample.engine, at: sample.now).map {
            $0.text(Colors(isOn: true), FeedSample.explanations)
        }
        #expect(texts[0].hasPrefix("\u{1B}[2m08:00:00\u{1B}[0m p1 "), "\(texts)")
        #expect(texts[0].hasSuffix("\u{1B}[32m200 presented (new device; see --unknown-devices)\u{1B}[0m"))
        #expect(texts[1].contains("\u{1B}[31m400 BadDeviceToken\u{1B}[0m: "))
    }

    @Test func `programs get the same in JSON`() throws {
        let sample = FeedSample()
        let token = try sample.device("d1", "ios")
        sample.push(#"{"aps":{"alert":{"title":"T"},"mutable-content":1},\#(Self.image)}"#, to: token)
        sample.push(#"{"aps":{"alert":"x"}}"#, to: "zz")
        let lines = sample.feed.lines(sample.engine, at: sample.now)
        func json(_ line: PushLine, isShort: Bool = false) throws -> JSONView {
            var json = JSONWriter()
            let explanations = PushLine.Explanations(explain: FeedSample.explanations.explain, amend: { $0 + "!" })
            json.object { line.write(to: &$0, isShort: isShort, explanations) }
            return try JSONDocument(parsing: json.finish()).root
        }
        let (first, second) = (try json(lines[0]), try json(lines[1]))
        #expect(lines.map(\.outcome) == ["accepted", "refused"])
        let told = ["id", "provider", "app", "device", "did", "title"].map { first[$0]?.string }
        #expect(told == ["p1", "apns", "com.example.app", "d1", "presented", "T"])
        #expect(first["missingImage"]?["rule"]?.string == "ios.no-extension")
        #expect(first["path"]?.string == "/3/device/\(token)" && first["apnsId"]?.string?.count == 36)
        #expect(first["rule"] == nil && second["rule"]?.string == "apns.BadDeviceToken")
        #expect(second["status"]?.int == 400 && second["reason"]?.string == "BadDeviceToken")
        #expect(second["because"]?.string?.hasSuffix("hex digits.!") == true)
        #expect(second["findings"]?[0]?["rule"]?.string == "apns.BadDeviceToken")
        #expect(try json(lines[1], isShort: true)["because"] == nil)
    }
}

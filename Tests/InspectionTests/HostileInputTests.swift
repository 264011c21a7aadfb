import PushCore
import Testing

@testable import Inspection

/// Inputs from anyone: nothing traps, and nothing takes long.
struct HostileInputTests {
    @Test func `damaged copies of every example get a report`() {
        var random = Random(seed: 20_261_126)
        for example in Example.all where example.bytes.count < 100_000 {
            for _ in 0..<20 {
                var bytes = example.bytes
                for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
                    let index = Int.random(in: bytes.indices, using: &random)
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0: bytes[index] = UInt8.random(in: .min ... .max, using: &random)
                    case 1: bytes.removeSubrange(index...)
                    case 2: bytes.insert(contentsOf: bytes.prefix(20), at: index)
                    default: bytes.remove(at: index)
                    }
                }
                let input = Inspector.inspect(InspectionInput(bytes, name: example.name), at: Fixtures.now)
                #expect(!input.report.title.isEmpty)
            }
        }
    }

    @Test func `deep nesting, long texts and odd bytes get a report`() {
        let texts = [
            String(repeating: "[", count: 60_000), String(repeating: #"{"a":"#, count: 10_000),
            String(repeating: "-----BEGIN PRIVATE KEY-----\n", count: 2000),
            "-----BEGIN " + String(repeating: "x", count: 60_000), String(repeating: "<key>", count: 10_000) + "<plist",
            "<plist>" + String(repeating: "<key>a</key><string>", count: 3000), String(repeating: ".", count: 60_000),
            "MI" + String(repeating: "A", count: 60_000), String(repeating: "a1", count: 2000), "bearer ",
            "{length bytes",
            String(repeating: "a.", count: 30_000), "..", "eyJ9.eyJ9.", "AAAA:APA91", ":APA91", "\u{FEFF}", "key=",
            "{}.{}.{}", Fixtures.providerToken(issued: "-9223372036854775808"),
            Fixtures.providerToken(issued: "9223372036854775807"),
            Fixtures.assertion(times: #""iat":-9e14,"exp":9e14"#),
        ]
        for text in texts { #expect(!Fixtures.inspect(text).title.isEmpty) }
        for byte in UInt8.min ... .max {
            let report = Inspector.inspect(InspectionInput([byte, 0x82, byte, byte]), at: Fixtures.now).report
            #expect(report.kind == "unknown")
        }
    }

    @Test func `times outside of the calendar are shown as its ends`() {
        #expect(Subject.date(.min) == "1970-01-01T00:00:00Z" && Subject.date(.max) == "9999-12-31T23:59:59Z")
        #expect(Subject.duration(119) == "119 seconds" && Subject.duration(120) == "2 minutes")
        #expect(Subject.duration(7200) == "2 hours" && Subject.duration(400_000) == "4 days")
    }
}

import JSON
import Threads
import Platform
import PushCore
import Testing

/// The lines of the log, in both formats.
@Suite struct LogTests {
    private static let time = Timestamp(milliseconds: 1_800_000_000_123)

    /// Collects what a log writes.
    private final class Lines: Sendable {
        private let lines = Lock<[String]>([])

        func log(_ format: Log.Format, _ level: Log.Level = .debug) -> Log {
            Log(format: format, level: level) { line in
                self.lines.withLock { $0.append(String(decoding: line, as: UTF8.self)) }
            }
        }

        var all: [String] { lines.withLock { $0 } }
    }

    /// A field's value, and how text and JSON show it.
    static let values: [(value: String?, text: String, json: String)] = [
        ("plain", " a=plain", #","a":"plain""#), (nil, "", ""), ("", #" a="""#, #","a":"""#),
        ("two words", #" a="two words""#, #","a":"two words""#), (#"a"b"#, #" a="a'b""#, #","a":"a\"b""#),
        ("a\nb", #" a="a\u000ab""#, #","a":"a\nb""#), ("\u{1B}[31m", #" a="\u001b[31m""#, #","a":"\u001b[31m""#),
        ("\u{7F}", #" a="\u007f""#, #","a":"\u007f""#), ("\u{202E}x", #" a="\u202ex""#, #","a":"\u202ex""#),
        ("ä", #" a="ä""#, #","a":"ä""#), ("x=y", " a=x=y", #","a":"x=y""#),
    ]

    @Test(arguments: values.indices) func `a value is one word or quoted, and controls no terminal`(index: Int) {
        let row = Self.values[index]
        let lines = Lines()
        lines.log(.text)(.info, "refused", at: Self.time, ["a": row.value])
        lines.log(.json)(.info, "refused", at: Self.time, ["a": row.value])
        #expect(
            lines.all == [
                "2027-01-15T08:00:00.123Z info refused\(row.text)\n",
                #"{"time":"2027-01-15T08:00:00.123Z","level":"info","message":"refused"\#(row.json)}"# + "\n",
            ])
    }

    @Test func `in JSON a number is a number, and digits in a string are a string`() {
        let lines = Lines()
        for format in Log.Format.allCases {
            lines.log(format)(.info, "m", at: Self.time, ["a": 503, "b": "503", "c": -1, "d": nil as Int?])
        }
        #expect(lines.all[0].hasSuffix(" info m a=503 b=503 c=-1\n"))
        #expect(lines.all[1].hasSuffix(#""message":"m","a":503,"b":"503","c":-1}"# + "\n"))
    }

    @Test func `a line with its own layout is written as it is, and in JSON with the usual members`() {
        let lines = Lines()
        for format in Log.Format.allCases {
            lines.log(format, .info).line(.info, "accepted", at: Self.time) {
                "p1 \u{1B}[32mfine\u{1B}[0m"
            } members: {
                $0.member("id", "p1")
                $0.member("isShort", $1)
            }
            lines.log(format, .warning).line(.info, "accepted", at: Self.time) {
                "x"
            } members: { _, _ in
            }
        }
        #expect(
            lines.all == [
                "p1 \u{1B}[32mfine\u{1B}[0m\n",
                #"{"time":"2027-01-15T08:00:00.123Z","level":"info","message":"accepted","id":"p1","isShort":false}"#
                    + "\n",
            ])
    }

    @Test func `a line that one write would cut off is shortened whole`() throws {
        let lines = Lines()
        let long = String(repeating: "ä", count: 3000)
        for format in Log.Format.allCases {
            lines.log(format).line(.info, "m", at: Self.time) {
                long
            } members: {
                $0.member("text", $1 ? "short" : long)
            }
        }
        #expect(lines.all.allSatisfy { $0.utf8.count <= 4096 && $0.hasSuffix("\n") })
        #expect(lines.all[0].hasPrefix("ää"))
        #expect(lines.all[1].contains(#""text":"short""#))
    }

    @Test func `fields keep their order`() {
        let lines = Lines()
        lines.log(.text)(.error, "m", at: Self.time, ["z": "1", "a": nil, "b": "2", "z": "3"])
        #expect(lines.all == ["2027-01-15T08:00:00.123Z error m z=1 b=2 z=3\n"])
    }

    @Test(arguments: Log.Level.allCases) func `only lines at or above the level are written`(level: Log.Level) {
        let lines = Lines()
        let log = lines.log(.text, level)
        let all: [Log.Level] = [.debug, .info, .warning, .error]
        for each in all {
            log(each, "m", at: Self.time)
            #expect(log.isOn(each) == (each >= level))
        }
        let words = lines.all.map { $0.split(separator: " ")[1] }
        #expect(words.map(String.init) == all.drop { $0 != level }.map(\.rawValue))
    }

    @Test(arguments: Log.Format.allCases) func `a long value is cut, so that a line is one write`(format: Log.Format) {
        let lines = Lines()
        lines.log(format)(.info, "m", at: Self.time, ["a": String(repeating: "x", count: 300)])
        lines.log(format)(.info, "m", at: Self.time, ["a": String(repeating: "x", count: 301)])
        #expect(!lines.all[0].contains("…"))
        #expect(lines.all[0].contains(String(repeating: "x", count: 300)))
        #expect(lines.all[1].contains(String(repeating: "x", count: 300) + "…"))
        #expect(!lines.all[1].contains(String(repeating: "x", count: 301)))
    }
}

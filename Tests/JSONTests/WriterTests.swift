import JSON
import TestSupport
import Testing

struct WriterTests {
    private func write(_ value: JSONValue, _ style: JSONWriter.Style = .compact) -> String {
        var writer = JSONWriter(style)
        writer.value(value)
        return String(decoding: writer.finish(), as: UTF8.self)
    }

    @Test(
        arguments: [
            (nil, "null"), (true, "true"), (false, "false"), (0, "0"), (9, "9"), (10, "10"), (-1, "-1"),
            (.int(.min), "-9223372036854775808"), (.int(.max), "9223372036854775807"),
            (0.1, "0.1"), (3.0, "3"), (-0.0, "-0"), (1e16, "1e+16"),
            (.double(.leastNonzeroMagnitude), "5e-324"), (.double(.infinity), "null"),
            (.double(.nan), "null"), ("", "\"\""), ("a/b", "\"a/b\""),
            ("\"\\", "\"\\\"\\\\\""), ("\u{8}\u{C}\n\r\t", "\"\\b\\f\\n\\r\\t\""),
            ("\u{0}\u{1F}\u{7F}", "\"\\u0000\\u001f\u{7F}\""), ("ä👟\u{2028}", "\"ä👟\u{2028}\""),
            ("\r\n", "\"\\r\\n\""),
            ([], "[]"), ([:], "{}"), ([1, [], [2]], "[1,[],[2]]"),
            (["a": 1, "b": ["c": nil], "a": 2], "{\"a\":1,\"b\":{\"c\":null},\"a\":2}"),
            (["\n": "\n"], "{\"\\n\":\"\\n\"}"),
        ] as [(JSONValue, String)])
    func `compact JSON has no white space`(_ value: JSONValue, _ text: String) {
        #expect(write(value) == text)
    }

    @Test(
        arguments: [
            (1, "1"), ([], "[]"), ([:], "{}"), ([1, 2], "[\n  1,\n  2\n]"), ([[], [:]], "[\n  [],\n  {}\n]"),
            (
                ["error": ["code": 404, "status": "NOT_FOUND", "details": [["a": [], "b": ["c"]]]]],
                """
                {
                  "error": {
                    "code": 404,
                    "status": "NOT_FOUND",
                    "details": [
                      {
                        "a": [],
                        "b": [
                          "c"
                        ]
                      }
                    ]
                  }
                }
                """
            ),
        ] as [(JSONValue, String)])
    func `pretty JSON looks like Google's`(_ value: JSONValue, _ text: String) {
        #expect(write(value, .pretty) == text)
    }

    @Test func `values are appended to the given bytes in order`() {
        var writer = JSONWriter(appendingTo: Array("data: ".utf8))
        writer.object { json in
            json.member("a", [1, 2])
            json.member("n", String?.none)
            json.member("u", UInt64.max)
            json.key("r")
            json.raw("{ }".utf8)
            json.key("s")
            json.string(utf8: ([0x61, 0xFF, 0x22] as [UInt8]).span)
            json.key("t")
            json.string(utf8: ([0x61] as [UInt8]).span)
        }
        let expected =
            "data: {\"a\":[1,2],\"n\":null,\"u\":18446744073709551615,\"r\":{ },\"s\":\"a\u{FFFD}\\\"\",\"t\":\"a\"}"
        #expect(String(decoding: writer.finish(), as: UTF8.self) == expected)
    }

    @Test func `a view is copied unchanged`() throws {
        let view = try parse("{\"a\" : [ 1.0 , \"\\u0041\" ]}")
        var writer = JSONWriter()
        writer.value([try #require(view["a"])])
        #expect(String(decoding: writer.finish(), as: UTF8.self) == "[[ 1.0 , \"\\u0041\" ]]")
    }

    @Test(arguments: [JSONWriter.Style.compact, .pretty], 1...3 as ClosedRange<UInt64>)
    func `a written value parses back as the same value`(_ style: JSONWriter.Style, _ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<60 {
            let value = randomValue(3, &generator)
            let text = write(value, style)
            #expect(JSONValue(try parse(text)) == value, "\(text)")
        }
    }

    private func randomValue(_ depth: Int, _ generator: inout SeededGenerator) -> JSONValue {
        switch Int.random(in: 0...(depth > 0 ? 6 : 4), using: &generator) {
        case 0: return nil
        case 1: return .bool(Bool.random(using: &generator))
        case 2:
            return .int(
                Int64(truncatingIfNeeded: generator.next()) >> Int64.random(in: 0...63, using: &generator))
        case 3:
            let value = Double(bitPattern: generator.next())
            return .double(value.isFinite ? value : 0.5)
        case 4: return .string(randomText(&generator))
        case 5:
            return .array(
                (0..<Int.random(in: 0...4, using: &generator)).map { _ in randomValue(depth - 1, &generator) }
            )
        default:
            return .object(
                (0..<Int.random(in: 0...4, using: &generator)).map { _ in
                    (randomText(&generator), randomValue(depth - 1, &generator))
                })
        }
    }

    private func randomText(_ generator: inout SeededGenerator) -> String {
        var text = ""
        for _ in 0..<Int.random(in: 0...6, using: &generator) {
            let largest: UInt32 = [0x7F, 0x7FF, 0xFFFF, 0x10FFFF].randomElement(using: &generator) ?? 0
            text.unicodeScalars.append(
                Unicode.Scalar(UInt32.random(in: 0...largest, using: &generator)) ?? "\\")
        }
        return text
    }
}

import JSON
import Testing

struct AcceptanceTests {
    /// Each text with what a compact writer writes for its value.
    @Test(arguments: [
        ("[]", "[]"), ("{}", "{}"), ("[[]   ]", "[[]]"), ("[\"\"]", "[\"\"]"), ("[false]", "[false]"),
        ("[null, 1, \"1\", {}]", "[null,1,\"1\",{}]"),
        ("[null]", "[null]"), ("[1\n]", "[1]"), (" [1]", "[1]"),
        ("[1,null,null,null,2]", "[1,null,null,null,2]"), ("[2] ", "[2]"),
        ("false", "false"), ("42", "42"), ("-0.1", "-0.1"), ("null", "null"), ("\"asd\"", "\"asd\""),
        ("true", "true"), ("\"\"", "\"\""),
        ("[true]\n", "[true]"), ("\t\r\n [ \t\r\n 1 \t\r\n ] \t\r\n", "[1]"),
        ("{\"asd\":\"sdf\"}", "{\"asd\":\"sdf\"}"),
        ("{\"asd\":\"sdf\", \"dfg\":\"fgh\"}", "{\"asd\":\"sdf\",\"dfg\":\"fgh\"}"),
        ("{\"a\":\"b\",\"a\":\"c\"}", "{\"a\":\"b\",\"a\":\"c\"}"),
        ("{\"\":0}", "{\"\":0}"), ("{\"foo\\u0000bar\": 42}", "{\"foo\\u0000bar\":42}"),
        ("{\"a\":[]}", "{\"a\":[]}"),
        ("{ \"min\": -1.0e+28, \"max\": 1.0e+28 }", "{\"min\":-1e+28,\"max\":1e+28}"),
        ("{\n\"a\": \"b\"\n}", "{\"a\":\"b\"}"),
    ])
    func `arrays, objects and scalars are parsed`(_ text: String, _ compact: String) throws {
        var writer = JSONWriter()
        writer.value(JSONValue(try parse(text)))
        #expect(String(decoding: writer.finish(), as: UTF8.self) == compact)
    }

    @Test(arguments: [
        ("\\u0060\\u012a\\u12AB", "`Ī\u{12AB}"), ("\\uD801\\udc37", "𐐷"),
        ("\\ud83d\\ude39\\ud83d\\udc8d", "😹💍"),
        ("\\\"\\\\\\/\\b\\f\\n\\r\\t", "\"\\/\u{8}\u{C}\n\r\t"), ("\\\\u0000", "\\u0000"), ("\\\"", "\""),
        ("a/*b*/c/*d//e", "a/*b*/c/*d//e"),
        ("\\\\a", "\\a"), ("\\\\n", "\\n"), ("\\u0012", "\u{12}"), ("\\uFFFF", "\u{FFFF}"),
        ("\u{10FFFF}", "\u{10FFFF}"), ("\u{FFFF}", "\u{FFFF}"),
        ("\\u0000", "\u{0}"), ("\\u002c", ","), ("π", "π"), ("asd ", "asd "), (" ", " "),
        ("\\uDBFF\\uDFFF", "\u{10FFFF}"), ("\u{2028}\u{2029}", "\u{2028}\u{2029}"),
        ("\\u0821", "\u{821}"), ("\\u0123", "\u{123}"), ("\u{7F}", "\u{7F}"), ("\\uA66D", "\u{A66D}"),
        ("⍂㈴⍂", "⍂㈴⍂"),
        ("\\u005C", "\\"), ("\\u0022", "\""), ("\\u200B", "\u{200B}"), ("a\u{7F}a", "a\u{7F}a"), ("€𝄞", "€𝄞"),
    ])
    func `strings are unescaped`(_ text: String, _ value: String) throws {
        let view = try parse("[\"\(text)\"]")
        #expect(view[0]?.string?.utf8.elementsEqual(value.utf8) == true)
        #expect(view[0]?.equals(value) == true)
        #expect(view[0]?.equals(value + "x") == false)
        #expect(!view.document.hasLoneSurrogates)
    }

    @Test(arguments: [
        ("\\uDADA", "\u{FFFD}"), ("\\uDEAD", "\u{FFFD}"), ("\\uD800\\n", "\u{FFFD}\n"),
        ("\\uDd1ea", "\u{FFFD}a"), ("\\uD800\\uD800", "\u{FFFD}\u{FFFD}"),
        ("\\uDd1e\\uD834", "\u{FFFD}\u{FFFD}"), ("\\ud800abc", "\u{FFFD}abc"),
        ("\\uD800\\uD83D\\uDE39", "\u{FFFD}😹"), ("\\uD888\\u1234", "\u{FFFD}\u{1234}"),
    ])
    func `half a surrogate pair is read as U+FFFD and is reported by hasLoneSurrogate`(
        _ text: String, _ value: String
    ) throws {
        let view = try parse("{\"a\":\"\(text)\"}")
        #expect(view["a"]?.string == value)
        #expect(view["a"]?.hasLoneSurrogate == true)
        #expect(view.document.hasLoneSurrogates)
    }

    @Test(arguments: [1, 2, 511, 512])
    func `nesting is parsed up to the limit`(_ depth: Int) throws {
        let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        #expect(try parse(text).source.count == 2 * depth)
    }

    @Test func `a repeated key means its last value, and values(of:) returns all of them`() throws {
        let view = try parse("{\"a\":1,\"b\":{\"a\":9},\"\\u0061\":2}")
        #expect(view["a"]?.int == 2)
        #expect(view.values(of: "a").map(\.int) == [1, 2])
        #expect(view.count == 3)
        #expect(view["c"] == nil)
    }

    @Test func `a composed and a decomposed character are different keys`() throws {
        let view = try parse("{\"\u{E9}\":1,\"e\u{301}\":2}")
        #expect(view["\u{E9}"]?.int == 1)
        #expect(view["e\u{301}"]?.int == 2)
    }

    @Test func `an accessor for another kind of value returns nil`() throws {
        for text in ["null", "true", "1", "\"x\"", "[1]", "{\"a\":1}"] {
            let view = try parse(text)
            #expect((view.bool != nil) == (view.kind == .bool))
            #expect((view.string != nil) == (view.kind == .string))
            #expect((view.double != nil) == (view.kind == .number))
            #expect((view.int != nil) == (view.kind == .number))
            #expect((view[0] != nil) == (view.kind == .array))
            #expect((view["a"] != nil) == (view.kind == .object))
            #expect(view.isNull == (view.kind == .null))
            #expect(Array(view.elements).count == (view.kind == .array ? 1 : 0))
            #expect(Array(view.members).count == (view.kind == .object ? 1 : 0))
        }
    }
}

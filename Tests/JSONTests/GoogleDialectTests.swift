import JSON
import Testing

/// Google's parser accepts a little more than RFC 8259.
struct GoogleDialectTests {
    private func compact(_ text: String, _ dialect: JSONDialect = .google) throws(JSONError) -> String {
        var writer = JSONWriter()
        writer.value(JSONValue(try JSONDocument(parsing: Array(text.utf8), dialect: dialect).root))
        return String(decoding: writer.finish(), as: UTF8.self)
    }

    @Test(arguments: [
        ("{\"a\":1,}", "{\"a\":1}"), ("[1,2,]", "[1,2]"), ("{'a':'b'}", "{\"a\":\"b\"}"),
        ("{a:1,b_c:2,$d:3,e9:4}", "{\"a\":1,\"b_c\":2,\"$d\":3,\"e9\":4}"),
        ("{true:1,null:2}", "{\"true\":1,\"null\":2}"),
        ("['it\\'s','\"']", "[\"it's\",\"\\\"\"]"), ("[\"'\"]", "[\"'\"]"), ("[\"a\nb\"]", "[\"a\\nb\"]"),
        ("{a:{b:[{c:1,},],},}", "{\"a\":{\"b\":[{\"c\":1}]}}"),
    ]) func `the Google dialect accepts texts that RFC 8259 refuses`(text: String, expected: String) throws {
        #expect(try compact(text) == expected)
        if !text.contains("[\"'\"]") { #expect(throws: JSONError.self) { try compact(text, .rfc8259) } }
    }

    @Test(arguments: [
        "{,}", "[,]", "{\"a\":1,,}", "[1,,2]", "{9a:1}", "{a-b:1}", "{\"a\" 1}", "{'a\":1}", "['a\"]", "{a:b}", "[a]",
        "{\"a\":1]", "[1}", "'", "{a", "{a:", "{a:1", "nul", "", "+1", "\u{FEFF}{}",
    ]) func `the Google dialect still refuses these texts`(text: String) {
        #expect(throws: JSONError.self) { try compact(text) }
    }

    @Test func `keys without quotes are found by name, through views and through places`() throws {
        let document = try JSONDocument(parsing: Array("{a:1,'b':2,\"c\":3,a:4}".utf8), dialect: .google)
        #expect(["a", "b", "c", "d"].map { document.root[$0]?.int } == [4, 2, 3, nil])
        for (name, number) in [("a", 4), ("b", 2), ("c", 3)] {
            let place = document.value(of: Array(name.utf8), in: document.rootPlace)
            #expect(place.map { document.view(at: $0).int } == number)
        }
    }
}

import JSON
import Testing

struct PointerTests {
    /// The example of RFC 6901 §5, with a repeated key added.
    private static let text = """
        {"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\\\j":5,"k\\"l":6," ":7,"m~n":8,"r":1,"r":{"0":[[],[9]]}}
        """

    @Test(arguments: [
        ("/foo", "[\"bar\",\"baz\"]"), ("/foo/0", "\"bar\""), ("/foo/1", "\"baz\""), ("/", "0"),
        ("/a~1b", "1"), ("/c%d", "2"), ("/e^f", "3"), ("/g|h", "4"), ("/i\\j", "5"), ("/k\"l", "6"),
        ("/ ", "7"), ("/m~0n", "8"), ("/r/0/1/0", "9"), ("/foo/2", nil), ("/foo/-", nil), ("/foo/00", nil),
        ("/foo/01", nil), ("/foo/+1", nil), ("/foo/", nil), ("/foo/18446744073709551616", nil),
        ("/foo/0/0", nil), ("/x", nil), ("/r/1", nil), ("/r/0/0/0", nil),
    ])
    func `a pointer finds its value`(_ text: String, _ source: String?) throws {
        let pointer = try #require(JSONPointer(text))
        #expect(try parse(Self.text)[pointer].map { String(decoding: $0.source, as: UTF8.self) } == source)
        #expect(pointer.description == text)
    }

    @Test func `the empty pointer means the whole document`() throws {
        let view = try parse(Self.text)
        #expect(view[try #require(JSONPointer(""))]?.range == view.range)
    }

    @Test(arguments: [
        ("/~01", ["~1"]), ("/~1~0", ["/~"]), ("//", ["", ""]), ("/a//b/", ["a", "", "b", ""]),
        ("/ä/👟", ["ä", "👟"]),
        ("a", nil), ("a/b", nil), ("#/a", nil), ("~0", nil), ("/~", nil), ("/a~", nil), ("/~2", nil),
        ("/~~0", nil), ("/~/", nil),
    ])
    func `a pointer is split into its tokens, or refused`(_ text: String, _ tokens: [String]?) {
        #expect(JSONPointer(text)?.tokens == tokens)
    }

    @Test func `a pointer is built from the outside in`() {
        #expect(JSONPointer().appending("a/b").appending(3).appending("~").description == "/a~1b/3/~0")
    }
}

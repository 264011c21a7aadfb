import JSON
import Testing

/// Keys that one object has more than once.
@Suite struct DuplicateKeyTests {
    @Test(arguments: [
        (#"{"a":1,"b":2}"#, []), (#"{"a":1,"a":2}"#, ["/a"]), (#"{"a":1,"a":2,"a":3}"#, ["/a"]),
        (#"{"a":{"b":1,"b":2},"c":{"b":1}}"#, ["/a/b"]), (#"{"a":[{"b":1},{"c":1,"c":2}]}"#, ["/a/1/c"]),
        (#"{"a":1,"\u0061":2}"#, ["/a"]), (#"{"x/y":1,"x/y":2}"#, ["/x~1y"]), ("[]", []), ("1", []),
        // A composed and a decomposed character are different keys.
        ("{\"\u{E9}\":1,\"e\u{301}\":2}", []),
    ]) func `a repeated key is found, wherever it is`(text: String, paths: [String]) throws {
        let document = try JSONDocument(parsing: Array(text.utf8))
        #expect(document.duplicateKeys(maximum: 10).map(\.description) == paths)
    }

    @Test func `the number of repeated keys is limited`() throws {
        let text = "{" + (0..<50).map { #""k\#($0)":1,"k\#($0)":2"# }.joined(separator: ",") + "}"
        #expect(try JSONDocument(parsing: Array(text.utf8)).duplicateKeys(maximum: 7).count == 7)
    }
}

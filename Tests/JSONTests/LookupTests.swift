import TestSupport
import Testing

@testable import JSON

struct LookupTests {
    private static let keys = ["a", "b", "ä", "0", "7", "a/b", "long \\\"key\\\"", "", "\\u0061"]
    private static let scalars = ["null", "true", "1", "1.0", "-0", "0", #""x""#, #""\u0078""#, #""é""#, #""e\u0301""#]

    /// Sometimes more members or elements than a lookup searches one by one, and often repeated keys.
    private static func text(_ depth: Int, _ random: inout SeededGenerator) -> String {
        let count = Int.random(in: 0...5, using: &random) == 0 ? 40 : Int.random(in: 0...4, using: &random)
        switch depth == 0 ? 0 : Int.random(in: 0...3, using: &random) {
        case 1: return "[" + (0..<count).map { _ in text(depth - 1, &random) }.joined(separator: ",") + "]"
        case 2, 3:
            let members = (0..<count).map { _ in
                "\"\(keys.randomElement(using: &random) ?? "")\":\(text(depth - 1, &random))"
            }
            return "{" + members.joined(separator: ",") + "}"
        default: return scalars.randomElement(using: &random) ?? ""
        }
    }

    private static func pointer(_ random: inout SeededGenerator) -> JSONPointer {
        let tokens = ["a", "b", "ä", "0", "7", "00", "39", "40", "a/b", "long \"key\"", "", "-"]
        return JSONPointer(
            tokens: (0..<Int.random(in: 0...3, using: &random)).map { _ in tokens.randomElement(using: &random) ?? "" })
    }

    @Test(arguments: 0..<40) func `a lookup finds what a pointer finds`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let root = try JSONDocument(parsing: Array(Self.text(3, &random).utf8)).root
        var lookup = JSONLookup(root.document)
        for _ in 0..<60 {
            let pointer = Self.pointer(&random)
            let found = root[pointer].map { JSONValue($0) }
            let other = try JSONDocument(parsing: Array((Self.scalars.randomElement(using: &random) ?? "").utf8)).root
            for value in [JSONValue(other), found ?? .null] {
                let isThere = lookup.has(HashedJSON(value), at: .init(pointer))
                #expect(isThere == (found == value), "\(pointer) seed \(seed)")
            }
        }
    }

    @Test(arguments: [
        ("1", "1.0"), ("0", "-0.0"), ("9007199254740992", "9007199254740992.0"),
        (#"{"a":1,"b":[2]}"#, #"{"b":[2.0],"a":1}"#),
    ])
    func `equal values have equal hashes`(one: String, other: String) throws {
        let values = try [one, other].map { JSONValue(try JSONDocument(parsing: Array($0.utf8)).root) }
        #expect(values[0] == values[1])
        #expect(HashedJSON(values[0]) == HashedJSON(values[1]))
    }

    /// Without tables, these questions would take 90,000 steps and more.
    @Test(arguments: [
        "{" + (0..<300).map { "\"\($0)\":\"x\"" }.joined(separator: ",") + "}",
        "[" + (0..<300).map { _ in #""x""# }.joined(separator: ",") + "]",
    ])
    func `many questions read a large container a few times`(text: String) throws {
        var lookup = JSONLookup(try JSONDocument(parsing: Array(text.utf8)))
        for _ in 0..<2 {
            for token in 0..<300 {
                let isThere = lookup.has(HashedJSON(.string("x")), at: .init(JSONPointer(tokens: [String(token)])))
                #expect(isThere)
            }
        }
        #expect(lookup.steps <= 900)
    }

    @Test func `many questions about one path decode its value once`() throws {
        var lookup = JSONLookup(try JSONDocument(parsing: Array(#"{"a":{"b":"text","c":1}}"#.utf8)))
        for number in 0..<300 {
            let value = HashedJSON(.string("no-\(number)"))
            let isThere = lookup.has(value, at: .init(JSONPointer(tokens: ["a", "b"])))
            #expect(!isThere)
        }
        // The members of both objects, and the value.
        #expect(lookup.steps == 1 + 2 + 1)
    }
}

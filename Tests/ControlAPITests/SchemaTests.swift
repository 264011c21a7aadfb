import JSON
import Testing

@testable import ControlAPI

/// The check that all answers of these tests pass must find what is wrong.
struct SchemaTests {
    private static let object = Schema.object([
        Schema.member("a", .integer(0...9), required: true), Schema.member("b", .text()),
        Schema.notNull(Schema.member("c", .text())),
    ])
    /// A schema, values that match, and values that do not.
    static let rows: [(Schema, [JSONValue], [JSONValue])] = [
        (.anything, [1, nil, [:]], []), (.text(1...2), ["a", "äö"], ["", "abc", 1, nil]),
        (.words(["a"]), ["a"], ["b", nil]),
        (.integer(0...9), [0, 9], [-1, 10, 1.5, "1", nil]), (.number(0...1), [0, 1, 0.5], [2, -0.5, "0", nil]),
        (.boolean, [true, false], [0, nil]), (.pattern("^a+$"), ["aa"], ["b", 1]),
        (.duration, ["5s", "250ms"], ["5", 5]),
        (.time, ["2026-11-21T04:05:06.789Z"], ["today", 0]), (.list(.boolean), [[], [true]], [[1], [:], nil]),
        (.map(.boolean), [[:], ["x": true]], [["x": 1], [], nil]),
        (.anyOf([.boolean, .text()]), [true, "a"], [1, nil]),
        (.nullable(.boolean), [nil, true], [1]),
        (
            .choice([Schema.member("a", .boolean), Schema.member("b", .text())]), [["a": true], ["b": "x"]],
            [[:], ["a": true, "b": "x"], ["a": nil], ["a": 1], ["c": 1], []]
        ),
        (.named("Clock"), [["now": "2026-11-21T04:05:06.789Z", "frozen": true]], [["frozen": true]]),
        (.named("Nothing"), [], [[:]]),
        (
            object, [["a": 1], ["a": 1, "b": nil, "c": "x"]],
            [[:], ["a": nil], ["a": 10], ["a": 1, "c": nil], ["a": 1, "d": 1], [], .object([("a", 1), ("a", 2)])]
        ),
    ]

    @Test(arguments: rows.indices)
    func `a value is compared with its schema`(_ index: Int) {
        let (schema, good, bad) = Self.rows[index]
        for value in good { #expect(schema.mismatch(value) == nil, "\(value)") }
        for value in bad { #expect(schema.mismatch(value) != nil, "\(value)") }
    }

    @Test func `a mismatch names its place`() {
        let schema = Schema.list(.map(Self.object))
        #expect(schema.mismatch([["x": ["a": 1]], ["y": ["a": "1"]]])?.hasPrefix("/1/y/a: ") == true)
    }
}

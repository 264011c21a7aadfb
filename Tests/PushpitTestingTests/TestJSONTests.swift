import PushpitTesting
import Testing

/// JSON values as tests write and read them.
@Suite struct TestJSONTests {
    @Test func `a literal is sent as it is written`() {
        let value: TestJSON = ["b": 1, "a": [true, nil, 2.5, "text"], "empty": [:]]
        #expect(value.description == #"{"b":1,"a":[true,null,2.5,"text"],"empty":{}}"#)
        #expect(value.keys == ["b", "a", "empty"])
    }

    @Test func `what does not exist reads as null`() throws {
        let value = try TestJSON(parsing: Array(#"{"a":{"b":[1,{"c":"d"}]},"n":null}"#.utf8))
        #expect(value["a"]["b"][1]["c"] == "d")
        #expect(value["a"]["b"][0].int == 1)
        for missing in [value["x"], value["a"]["b"][2], value["a"]["b"][-1], value["n"]["x"], value["a"]["b"][0]["c"]] {
            #expect(missing.isNull && missing == nil)
        }
        #expect(value.keys.contains("n") && !value.keys.contains("x"))
    }

    @Test func `a value is read by its own kind only`() {
        let value: TestJSON = ["text", 7, true, 1.5]
        #expect(value.array.map(\.string) == ["text", nil, nil, nil])
        #expect(value.array.map(\.int) == [nil, 7, nil, nil])
        #expect(value.array.map(\.bool) == [nil, nil, true, nil])
        #expect(TestJSON("x").array.isEmpty && TestJSON(7).keys.isEmpty)
    }

    @Test func `objects are equal in any order, and 1 equals 1 point 0`() {
        #expect(["a": 1, "b": 2] as TestJSON == ["b": 2.0, "a": 1])
        #expect(["a": 1] as TestJSON != ["a": 1, "b": nil])
        #expect([1, 2] as TestJSON != [2, 1])
    }

    @Test func `merged members replace the old ones in their place`() {
        let value: TestJSON = ["a": 1, "b": 2]
        #expect(value.merging(["b": 3, "c": 4]).description == #"{"a":1,"b":3,"c":4}"#)
        #expect(value.merging([1]) == [1])
    }

    @Test(arguments: ["", "{", "x", #"{"a":1}}"#]) func `text that is not JSON is an error`(text: String) {
        let failure = #expect(throws: TestFailure.self) { try TestJSON(parsing: Array(text.utf8)) }
        #expect(failure?.cause == .notJSON)
    }
}

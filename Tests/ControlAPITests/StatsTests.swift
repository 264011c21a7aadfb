import HTTPCore
import JSON
import PushCore
import PushEngine
import Testing

@testable import ControlAPI

/// What the gateway counts, and the rules that it knows.
struct StatsTests {
    @Test func `stats count what has happened`() throws {
        let host = TestHost()
        let none: JSONValue = [
            "accepted": 0, "refused": 0, "deleted": 0, "malformed": 0, "messages": 0, "events": 0, "devices": 0,
            "faults": 0, "connections": 3, "waiting": 0, "readers": 0, "forgotten": 0, "run": "run1",
        ]
        #expect(try host.ask(.get, "/stats") == none)
        host.push()
        host.push(to: "x")
        host.send(["topic": "t"])
        host.send(["dat": [:]])
        try host.ask(.post, "/faults", ["effect": ["silence": true], "after": 1000], status: 201)
        host.box.engine.metrics.malformed = 2
        host.eventStreamCount = 1
        let some: JSONValue = [
            "accepted": 2, "refused": 2, "malformed": 2, "messages": 4, "events": 7, "devices": 1, "faults": 1,
            "readers": 1, "forgotten": 0,
        ]
        #expect(try host.ask(.get, "/stats") == none.merging(some))
        // What is forgotten was counted all the same.
        try host.ask(.post, "/reset")
        let left: JSONValue = ["deleted": 4, "messages": 0, "events": 8, "devices": 0, "faults": 0]
        #expect(try host.ask(.get, "/stats") == none.merging(some).merging(left))
    }

    @Test func `the rules come in pages, each in the form of the command line`() throws {
        let host = TestHost()
        var (found, cursor): ([JSONValue], String?) = ([], "0")
        while let start = cursor {
            let page = try host.ask(.get, "/rules?limit=100&cursor=\(start)")
            #expect(page.at("rules").elements.count == min(100, host.rules.count - found.count))
            found += page.at("rules").elements
            cursor = page.at("next").text
        }
        let expected = try host.rules.map { rule in
            var json = JSONWriter()
            json.value(rule)
            return try JSONValue(parsing: json.finish())
        }
        #expect(found == expected && found.count > 100)
        #expect(try host.ask(.get, "/rules").at("rules").elements.count == 50)
        #expect(try host.ask(.get, "/rules?cursor=100000") == ["rules": [], "next": nil])
    }
}

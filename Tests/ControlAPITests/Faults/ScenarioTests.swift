import HTTPCore
import JSON
import Testing

@testable import ControlAPI

struct ScenarioTests {
    static let names = [
        "apns-shutdown", "apns-bad-certificate-environment", "apns-token-update-storm", "apns-stream-limit-drop",
        "apns-black-hole", "fcm-503-but-delivered", "fcm-502-html", "fcm-quota-with-retry-after",
    ]

    private func listed(_ host: TestHost) throws -> [JSONValue] {
        try host.ask(.get, "/scenarios").at("scenarios").elements
    }

    @Test func `each scenario says what happens and who reported it`() throws {
        let host = TestHost()
        let rows = try listed(host)
        #expect(rows.map { $0.at("name").text } == Self.names)
        for row in rows {
            #expect(row.at("set") == [])
            #expect(row.at("source").text?.wholeMatch(of: #/[\w.-]+/[\w.-]+\#\d+/#) != nil, "\(row.at("source"))")
            #expect(row.at("meaning").text?.hasSuffix(".") == true, "\(row.at("meaning"))")
        }
        let page = try host.ask(.get, "/scenarios?limit=3&cursor=6")
        #expect(page == ["scenarios": .array(Array(rows[6...])), "next": nil])
        #expect(try host.ask(.get, "/scenarios?limit=3").at("next") == "3")
    }

    @Test(arguments: names)
    func `the faults of a scenario are listed with it and among the faults, until it is removed`(_ name: String) throws
    {
        let host = TestHost()
        let row = try #require(try listed(host).first { $0.at("name").text == name })
        let count = row.at("faults").elements.count
        let first = try host.ask(.post, "/scenarios/\(name)", ["app": .string(TestHost.otherApp)], status: 201)
        let both = try host.ask(.post, "/scenarios/\(name)", status: 201)
        #expect(both.at("set").elements.count == 2 * count)
        #expect(first == row.merging(["set": .array(Array(both.at("set").elements.prefix(count)))]))
        let faults = try host.ask(.get, "/faults").at("faults").elements
        #expect(faults.map { $0.at("id") } == both.at("set").elements)
        #expect(faults.allSatisfy { $0.at("scenario").text == name })
        let apps = faults.map { $0.at("match", "app") }
        #expect(
            apps == Array(repeating: .string(TestHost.otherApp), count: count) + Array(repeating: .null, count: count))
        // What is narrowed to one app is otherwise the same fault.
        let effects = faults.map { $0.without("id", "match", "seed", "scenario", "state", "seen", "fired") }
        #expect(effects == (row.at("faults").elements + row.at("faults").elements).map { $0.without("match") })
        try host.ask(.post, "/faults", ["effect": ["silence": true], "match": ["app": "x"]], status: 201)
        try host.ask(.delete, "/scenarios/\(name)", status: 204)
        #expect(try listed(host).allSatisfy { $0.at("set") == [] })
        #expect(try host.ask(.get, "/faults").at("faults").elements.count == 1)
    }

    @Test func `a scenario that is set already is refused, but not one for another app`() throws {
        let host = TestHost()
        let path = "/scenarios/fcm-502-html"
        try host.ask(.post, path, status: 201)
        let problem = try host.problem(.post, path)
        #expect(problem == .init(status: 409, code: "conflict", pointer: nil))
        #expect(problem.message.contains("DELETE /api/v1\(path)"))
        try host.ask(.post, path, ["app": "a"], status: 201)
        try host.ask(.delete, path, status: 204)
        try host.ask(.post, path, status: 201)
    }

    /// What the message has to name.
    static let refusals: [(Method, String, JSONValue?, TestHost.Problem, String)] = [
        (.post, "apns-none", nil, .init(status: 404, code: "notFound", pointer: nil), names.joined(separator: ", ")),
        (.delete, "apns-none", nil, .init(status: 404, code: "notFound", pointer: nil), "apns-shutdown"),
        (.get, "apns-shutdown", nil, .init(status: 405, code: "wrongMethod", pointer: nil), "POST"),
        (.post, "apns-shutdown", ["ap": "x"], .init(status: 400, code: "badField", pointer: "/ap"), "app"),
        (.post, "apns-shutdown", ["app": 7], .init(status: 400, code: "badField", pointer: "/app"), "string"),
        (.post, "apns-shutdown", ["app": nil], .init(status: 400, code: "badField", pointer: "/app"), "null"),
        (.post, "apns-shutdown", [], .init(status: 400, code: "badField", pointer: ""), "object"),
    ]

    @Test(arguments: refusals.indices)
    func `a bad call is refused, and no fault is set`(_ index: Int) throws {
        let host = TestHost()
        let (method, name, body, expected, words) = Self.refusals[index]
        let problem = try host.problem(method, "/scenarios/\(name)", body)
        #expect(problem == expected)
        #expect(problem.message.contains(words), "\(problem.message)")
        #expect(try host.ask(.get, "/faults").at("faults") == [])
    }
}

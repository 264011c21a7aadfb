import HTTPCore
import JSON
import PushCore
import Testing

@testable import ControlAPI

struct ClockTests {
    @Test func `the clock moves, stops and goes on`() throws {
        let host = TestHost()
        let rows: [(JSONValue, String, Bool)] = [
            (["advance": "0s"], "2027-01-15T08:00:00.000Z", false),
            (["advance": "3h"], "2027-01-15T11:00:00.000Z", false),
            (["freeze": true], "2027-01-15T11:00:00.000Z", true),
            (["advance": "250ms", "freeze": nil], "2027-01-15T11:00:00.250Z", true),
            (["set": "2030-01-02T03:04:05.678+01:30"], "2030-01-02T01:34:05.678Z", true),
            (["resume": true, "freeze": false], "2030-01-02T01:34:05.678Z", false),
            (["set": "now"], "2027-01-15T08:00:00.000Z", false),
        ]
        #expect(try host.ask(.get, "/clock") == ["now": "2027-01-15T08:00:00.000Z", "frozen": false])
        for (body, now, isFrozen) in rows {
            let clock: JSONValue = ["now": .string(now), "frozen": .bool(isFrozen)]
            #expect(try host.ask(.post, "/clock", body) == clock, "\(body)")
            #expect(try host.ask(.get, "/clock") == clock)
            let event = try host.events("kind=clock").last
            #expect(event?.at("data") == clock && event?.at("time") == .string(now))
        }
        #expect(try host.events("kind=clock").count == rows.count)
    }

    static let refusals: [(JSONValue, String)] = [
        ([:], ""), (["freeze": false], ""), (["advance": "1h", "freeze": true], ""),
        (["set": "now", "resume": true], ""),
        (["advance": "-1h"], "/advance"), (["advance": 5], "/advance"), (["advance": "4000000000h"], "/advance"),
        (["set": "tomorrow"], "/set"), (["set": "2026-02-30T00:00:00Z"], "/set"), (["set": 0], "/set"),
        (["set": "2026-02-30T00:00:00+01:00"], "/set"), (["set": "9999-01-01T00:00:00Z"], "/set"),
        (["set": "1969-12-31T23:59:59Z"], "/set"), (["freeze": "yes"], "/freeze"), (["resume": 1], "/resume"),
        (["stop": true], "/stop"),
    ]

    @Test(arguments: refusals)
    func `a bad change of the clock is refused, and the time stays`(_ body: JSONValue, _ pointer: String) throws {
        let host = TestHost()
        #expect(try host.problem(.post, "/clock", body) == .init(status: 400, code: "badField", pointer: pointer))
        #expect(host.now == TestHost().now && !host.isClockFrozen)
        #expect(try host.events() == [])
    }
}

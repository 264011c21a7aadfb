import HTTPCore
import JSON
import PushCore
import PushEngine
import Testing

@testable import ControlAPI

/// `POST /expect`: decided at once or by a later push, and what it reports if it is not met.
struct ExpectTests {
    private let host = TestHost()

    private func expect(_ status: Int, _ match: JSONValue = [:], _ demand: JSONValue = [:], within: String = "0s")
        throws
        -> JSONValue
    {
        let body: JSONValue = ["match": match, "within": .string(within)]
        return try host.ask(.post, "/expect", body.merging(demand), status: status)
    }

    /// What is demanded of three pushes, and the status. The time is so long that only a decision at once answers.
    static let atOnce: [(JSONValue, Int)] = [
        (["count": 3], 200), (["count": 2], 417), (["count": 0], 417), (["atLeast": 1], 200), (["atLeast": 3], 200),
        (["atLeast": 0], 200), ([:], 200), (["atMost": 2], 417), (["atMost": 0], 417), (["never": true], 417),
        (["never": false], 200), (["count": 3, "never": false], 200),
    ]
    /// The same if nothing is waited for.
    static let atTheEnd: [(JSONValue, Int)] =
        atOnce + [
            (["count": 4], 417), (["atLeast": 4], 417), (["atMost": 3], 200), (["atMost": 9], 200),
        ]

    @Test func `an expectation that can be decided is answered immediately`() throws {
        for _ in 1...3 { host.push() }
        let pushes = JSONValue.texts(try host.ids().reversed())
        for (within, rows) in [("24h", Self.atOnce), ("0s", Self.atTheEnd)] {
            for (demand, status) in rows {
                let verdict = try expect(status, ["app": .string(TestHost.app)], demand, within: within)
                let decided: JSONValue = ["met": .bool(status == 200), "count": 3, "messages": pushes]
                #expect(verdict.without("nearest", "why") == decided, "\(demand) \(within)")
                #expect((verdict["nearest"] == nil) == (status == 200))
                #expect((verdict["why"] == nil) == (status == 200))
            }
        }
        for demand: JSONValue in [["never": true], ["count": 0], ["atMost": 1]] {
            #expect(try expect(200, ["app": "x"], demand) == ["met": true, "count": 0, "messages": []])
        }
        #expect(try expect(200, ["app": "x"], ["count": 0], within: "60s").at("count") == 0)
    }

    @Test(
        arguments: [
            (["count": 1], "2 pushes match, but exactly 1 was expected."),
            (["count": 3], "2 pushes match, but exactly 3 were expected."),
            (["atLeast": 3], "2 pushes match, but at least 3 were expected."),
            (["atMost": 1], "2 pushes match, but at most 1 was expected."),
            (["never": true], "2 pushes match, but none was expected."),
        ] as [(JSONValue, String)])
    func `an expectation that is not met says what was expected`(_ demand: JSONValue, _ why: String) throws {
        for _ in 1...2 { host.push() }
        #expect(try expect(417, [:], demand).at("why") == .string(why))
    }

    @Test func `it says how many pushes it does not list`() throws {
        for _ in 1...1002 { host.push() }
        for (demand, status): (JSONValue, Int) in [(["atLeast": 1002], 200), (["count": 7], 417)] {
            let verdict = try expect(status, [:], demand)
            #expect(verdict.at("count") == 1002 && verdict.at("messages").elements.count == 1000)
            #expect(verdict.at("unlisted") == 2)
        }
    }

    /// What is demanded, after how many of two pushes it is decided (nil: only at the end), and whether it is met.
    static let later: [(JSONValue, Int?, Bool)] = [
        (["count": 1], 1, true), (["count": 2], 2, true), (["count": 3], nil, false), ([:], 1, true),
        (["atLeast": 2], 2, true), (["atLeast": 3], nil, false), (["atMost": 1], 2, false), (["atMost": 2], nil, true),
        (["never": true], 1, false), (["atMost": 0], 1, false),
    ]

    @Test(arguments: later.indices)
    func `other expectations wait until a push or the timeout decides them`(_ index: Int) throws {
        let (demand, decisive, isMet) = Self.later[index]
        let body: JSONValue = ["match": ["app": .string(TestHost.app)], "within": "250ms"]
        guard case .deferred(.expect(let expectation)) = host.reply(.post, "/expect", raw: body.merging(demand).bytes)
        else {
            throw Unexpected("\(demand) is answered at once")
        }
        #expect(expectation.within == 250)
        host.box.engine.expectations.add(
            expectation, .init(connection: .init(slot: 1, generation: 1), stream: nil), at: 1000)
        #expect(try host.stat("waiting") == 1)
        for number in 1...2 {
            host.push(topic: TestHost.otherApp)
            host.push()
            #expect(host.decided.count == (number >= decisive ?? 3 ? 1 : 0), "after push \(number)")
        }
        host.loopNow = 1249
        host.evaluateExpectations()
        #expect(host.decided.isEmpty == (decisive == nil))
        host.loopNow = 1250
        host.evaluateExpectations()
        let answers = host.decided.map { TestHost.Answer($0) }
        #expect(answers.map(\.status) == [isMet ? 200 : 417])
        let verdict = try answers[0].json()
        #expect(Schema.named("Verdict").mismatch(verdict) == nil && verdict.at("met") == .bool(isMet))
        #expect(verdict.at("count").int == Int64(decisive ?? 2))
        #expect(try host.stat("waiting") == 0)
    }

    private static let body: JSONValue = [
        "aps": ["alert": ["title": "T", "body": "B"], "badge": 1], "list": [1, ["x": nil]], "a/b~c": "odd",
        "big": 9_007_199_254_740_993,
    ]
    /// Filters, and whether a push with that body matches.
    static let matches: [(JSONValue, Bool)] = [
        (["body": ["/aps/alert/title": "T", "/aps/badge": 1]], true),
        (["body": ["/aps/alert/title": "T", "/aps/badge": 2]], false),
        (["body": ["/aps/badge": 1.0]], true), (["body": ["/aps/badge": "1"]], false),
        (["body": ["/aps/badge": true]], false),
        (["body": ["/list/1/x": nil]], true), (["body": ["/nothing": nil]], false),
        (["body": ["/list": [1, ["x": nil]]]], true),
        (["body": ["/list/0": 1]], true), (["body": ["/list/-": 1]], false), (["body": ["/a~1b~0c": "odd"]], true),
        (["body": ["/big": 9_007_199_254_740_993]], true), (["body": ["/big": 9_007_199_254_740_992]], false),
        (["body": ["": body]], true), (["body": ["/aps/alert": ["title": "T", "body": "B"]]], true),
        (["body": ["/aps/alert": ["body": "B", "title": "T"]]], true),
        (["body": ["/aps/alert": ["title": "T"]]], false),
        (["body": [:]], true), (["bodyText": ["/aps/badge": "1"]], true), (["bodyText": ["/aps/badge": "2"]], false),
        (["bodyText": ["/aps/alert/title": "T"]], true), (["bodyText": ["/a~1b~0c": "\"odd\""]], true),
        (["headers": ["apns-topic": .string(TestHost.app)]], true),
        (["headers": ["APNS-Topic": .string(TestHost.app)]], true),
        (["headers": ["apns-topic": "com"]], false), (["headers": ["x": ""]], false),
        (["headers": ["x-mine": "b"]], true),
        (["headers": ["x-mine": "a", "apns-topic": .string(TestHost.app)]], true), (["status": 200], true),
        (["status": "200"], true),
        (["status": 400], false), (["text": "t"], true), (["text": "nowhere"], false), (["since": 0], true),
        (["since": 1_000_000_000], false), (["until": "2026-01-01T00:00:00Z"], false),
        (["since": "2026-01-01T00:00:00.000Z"], true), ([:], true),
    ]

    @Test(arguments: matches)
    func `a filter compares whole values`(_ match: JSONValue, _ isMatch: Bool) throws {
        host.push(["x-mine": "a", "x-mine": "b"], body: Self.body)
        #expect(try expect(isMatch ? 200 : 417, match).at("count") == (isMatch ? 1 : 0))
    }

    @Test func `a filter finds a message to FCM`() throws {
        let droid = try host.makeDevice("android", ["id": "droid", "project": "shop"])
        try host.ask(.put, "/topics/news/devices/droid", status: 204)
        host.send(raw: Array("{message:{'topic':'news',data:{n:'7',},},}".utf8))
        let good: [JSONValue] = [
            ["body": ["/message/data/n": "7"]], ["bodyText": ["/message/data/n": "7"]], ["topic": "news"],
            ["device": "droid"],
            ["app": "shop"], ["provider": "fcm", "outcome": "accepted", "text": "7"],
        ]
        for match in good { #expect(try expect(200, match, ["count": 1]).at("count") == 1, "\(match)") }
        let bad: [JSONValue] = [
            ["body": ["/message/data/n": 7]], ["token": .string(token(of: droid, "fcm"))], ["device": "d"],
            ["app": .string(TestHost.app)],
        ]
        for match in bad { #expect(try expect(417, match).at("count") == 0, "\(match)") }
    }

    static let refusals: [(JSONValue, String)] = [
        ([], ""), (["macth": [:]], "/macth"), (["match": 7], "/match"), (["match": ["colour": 1]], "/match/colour"),
        (["match": ["provider": "x"]], "/match/provider"), (["match": ["app": 7]], "/match/app"),
        (["match": ["app": nil]], "/match/app"),
        (["match": ["outcome": "met"]], "/match/outcome"), (["match": ["status": 1.5]], "/match/status"),
        (["match": ["status": "x"]], "/match/status"), (["match": ["status": 1000]], "/match/status"),
        (["match": ["body": []]], "/match/body"), (["match": ["body": nil]], "/match/body"),
        (["match": ["bodyText": ["/a": 1]]], "/match/bodyText"), (["match": ["headers": []]], "/match/headers"),
        (["match": ["headers": ["a": 1]]], "/match/headers"), (["match": ["since": [:]]], "/match/since"),
        (["match": ["since": "yesterday"]], "/match/since"), (["match": ["until": "x"]], "/match/until"),
        (["match": ["body": ["no-pointer": 1]]], "/match/body"), (["match": ["body": ["/a~2": 1]]], "/match/body"),
        (["count": -1], "/count"), (["count": "1"], "/count"), (["count": 1.5], "/count"),
        (["count": 1_000_001], "/count"),
        (["atLeast": 10_000_000], "/atLeast"), (["atMost": nil, "count": true], "/count"), (["never": "yes"], "/never"),
        (["count": 1, "atMost": 2], ""), (["atLeast": 0, "never": true], ""), (["within": 5], "/within"),
        (["within": "5"], "/within"),
        (["within": "-1s"], "/within"), (["within": "25h"], "/within"), (["since": 1], "/since"),
    ]

    @Test(arguments: refusals)
    func `a bad question is refused with the place of the error`(_ body: JSONValue, _ pointer: String) throws {
        #expect(try host.problem(.post, "/expect", body) == .init(status: 400, code: "badField", pointer: pointer))
        #expect(try host.stat("waiting") == 0)
    }

    @Test func `at most 1,000 calls may wait`() throws {
        let body: JSONValue = ["match": ["app": "x"], "within": "1h"]
        guard case .deferred(.expect(let expectation)) = host.reply(.post, "/expect", raw: body.bytes) else {
            throw Unexpected("it is decided")
        }
        for slot in 0..<1000 as Range<UInt32> {
            host.box.engine.expectations.add(
                expectation, .init(connection: .init(slot: slot, generation: 1), stream: nil), at: 0)
        }
        #expect(try host.problem(.post, "/expect", body) == .init(status: 409, code: "tooMany", pointer: nil))
    }
}

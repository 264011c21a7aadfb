import HTTPCore
import JSON
import PushCore
import PushEngine
import Testing

@testable import ControlAPI

/// `{"prefix":…}` and `{"regex":…}` in place of a text.
struct ExpectPatternTests {
    private let host = TestHost()

    private func count(_ match: JSONValue) throws -> Int64? {
        let answer = try host.call(.post, "/expect", ["match": match, "within": "0s"])
        guard [200, 417].contains(answer.status) else { throw Unexpected(answer.text) }
        return try answer.json().at("count").int
    }

    /// Filters that match one push to an iPhone, and filters that do not.
    static let rows: [(match: JSONValue, other: JSONValue)] = [
        (["app": ["prefix": "com.example."]], ["app": ["prefix": "example"]]),
        (["app": ["regex": "\\.app$"]], ["app": ["regex": "^app"]]),
        (["provider": ["regex": "^(apns|fcm)$"]], ["provider": ["prefix": "f"]]),
        (["outcome": ["prefix": "acc"]], ["outcome": ["regex": "x"]]),
        (["status": ["regex": "^2"]], ["status": ["regex": "^4"]]),
        (["token": ["prefix": "a1b2"]], ["token": ["prefix": "A1B2"]]),
        (["device": ["regex": "^pho"]], ["device": ["regex": "^x"]]),
        (["topic": ["prefix": "com"]], ["topic": ["prefix": "org"]]),
        (["pushType": ["regex": "^a"]], ["pushType": ["regex": "^b"]]),
        (["rule": ["prefix": "apns."]], ["rule": ["prefix": "fcm."]]),
        (["text": ["prefix": "Order"]], ["text": ["prefix": "order"]]),
        (["text": ["regex": "#\\d+"]], ["text": ["regex": "#[a-z]"]]),
        (["apnsId": ["regex": "^[0-9A-Fa-f-]{36}$"]], ["apnsId": ["regex": "^$"]]),
        (["headers": ["apns-topic": ["prefix": "com."]]], ["headers": ["apns-topic": ["prefix": "org."]]]),
        (["body": ["/aps/alert": ["regex": "^Order #7$"]]], ["body": ["/aps/alert": ["regex": "^#7"]]]),
        (["body": ["/aps/badge": ["regex": "^[0-9]$"]]], ["body": ["/aps/badge": ["regex": "^[a-z]$"]]]),
        (["bodyText": ["/aps/alert": ["prefix": "Order"]]], ["bodyText": ["/aps": ["prefix": ""]]]),
        (["body": ["/odd": ["prefix": 7]]], ["body": ["/odd": ["prefix": 8]]]),
        (["body": ["/odd/prefix": 7], "app": ["prefix": ""]], ["name": ["prefix": ""]]),
    ]

    @Test(arguments: rows.indices) func `a part of a text is enough`(_ index: Int) throws {
        let phone = try host.makeDevice("ios", ["id": "phone"])
        let token = token(of: phone)
        host.push(
            ["apns-push-type": "alert"], to: token,
            body: ["aps": ["alert": "Order #7", "badge": 7], "odd": ["prefix": 7]])
        let (match, other) = Self.rows[index]
        // The token of the device is random.
        let isToken = match["token"] != nil
        #expect(try count(isToken ? ["token": ["prefix": .string(String(token.prefix(5)))]] : match) == 1, "\(match)")
        #expect(try count(isToken ? ["token": ["prefix": .string(token.prefix(5) + "x")]] : other) == 0, "\(other)")
    }

    @Test func `a device whose id is not known in advance is found when the push reaches it`() throws {
        let body: JSONValue = ["match": ["device": ["regex": "^two|three$"]], "within": "1h"]
        guard case .deferred(.expect(let expectation)) = host.reply(.post, "/expect", raw: body.bytes) else {
            throw Unexpected("it is decided")
        }
        host.box.engine.expectations.add(
            expectation, .init(connection: .init(slot: 1, generation: 1), stream: nil), at: 0)
        for id in ["one", "two"] { host.push(to: token(of: try host.makeDevice("ios", ["id": .string(id)]))) }
        #expect(try host.decided.map { try TestHost.Answer($0).json().at("messages") } == [["p2"]])
    }

    @Test func `a long text is searched in portions`() throws {
        let text = String(repeating: "a", count: 600)
        for _ in 1...3 { host.push(body: ["aps": ["alert": .string(text)]]) }
        host.looksPerTurn = 1
        let body: JSONValue = ["match": ["text": ["regex": "(a?){100}a{100}b"]], "within": "0s"]
        let call = ExpectCall(try call(body), try ControlAPI.expectation(JSONDocument(parsing: body.bytes).root))
        var turns = 0
        while true {
            turns += 1
            guard case .answer(let response) = call.advance(host) else { continue }
            #expect(response.status == 417)
            break
        }
        // Each turn may take one portion of 4,000 steps, and the nearest are searched too.
        #expect(turns > 2 * 3 * 600 * 150 / 4000)
    }

    private func call(_ body: JSONValue) throws -> ControlAPI.Call {
        let request = TestHost.request(.post, "/api/v1/expect", body.bytes, [])
        return ControlAPI.Call(request: request, pathValues: [], host: host, query: QueryReader(request))
    }

    /// Filters that are refused, and a part of the sentence.
    @Test(
        arguments: [
            (
                ["app": ["prefix": 7]], "/match/app",
                "must be a string, {\"prefix\":\"…\"} or {\"regex\":\"…\"}; it is {\"prefix\":7}"
            ),
            (["app": [:]], "/match/app", "must be a string"),
            (["app": ["prefix": "a", "regex": "b"]], "/match/app", "must be a string"),
            (["app": ["suffix": "a"]], "/match/app", "must be a string"),
            (["status": ["suffix": "a"]], "/match/status", "must be a status"),
            (["app": ["regex": "a("]], "/match/app/regex", "'a(' cannot be used: character 2: the group has no ')'"),
            (
                ["headers": ["a/b": ["regex": "*"]]], "/match/headers/a~1b/regex",
                "character 1: '*' has nothing to repeat"
            ),
            (["body": ["/a/b": ["regex": "[z-a]"]]], "/match/body/~1a~1b/regex", "character 2: the range is empty"),
            (["bodyText": ["/a": ["regexp": "a"]]], "/match/bodyText", "must have strings as values, {\"prefix\""),
            (
                ["app": ["regex": .string(String(repeating: "a", count: 1001))]], "/match/app/regex",
                "more than 1000 bytes"
            ),
            (["app": ["prefix": .string(String(repeating: "a", count: 1001))]], "/match/app", "at most 1000 bytes"),
            (["app": ["regex": "(a{100}){20}"]], "/match/app/regex", "more than 1000 steps"),
            (
                ["app": ["regex": "a{600}"], "topic": ["regex": "a{600}"]], "/match/topic",
                "with this one they take 1202"
            ),
        ] as [(JSONValue, String, String)])
    func `a bad pattern is refused with the place of the error`(_ match: JSONValue, _ pointer: String, _ text: String)
        throws
    {
        let problem = try host.problem(.post, "/expect", ["match": match])
        #expect(problem == .init(status: 400, code: "badField", pointer: pointer))
        #expect(problem.message.contains(text), "\(problem.message)")
    }

    @Test func `the nearest show the pattern`() throws {
        host.push()
        let verdict = try host.ask(
            .post, "/expect", ["match": ["app": ["regex": "^org"]], "within": "0s"], status: 417)
        #expect(
            verdict.at("nearest", 0, "differs") == [
                ["at": "app", "expected": ["regex": "^org"], "got": .string(TestHost.app)]
            ])
    }
}

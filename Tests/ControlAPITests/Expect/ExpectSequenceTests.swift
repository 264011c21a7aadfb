import HTTPCore
import JSON
import PushCore
import PushEngine
import Testing

@testable import ControlAPI

/// `POST /expect` with `sequence`: one thing after the other.
struct ExpectSequenceTests {
    private let host = TestHost()

    private func expect(_ status: Int, _ sequence: JSONValue) throws -> JSONValue {
        try host.ask(.post, "/expect", ["sequence": sequence, "within": "0s"], status: status)
    }

    private static func title(_ title: String) -> JSONValue { ["body": ["/aps/alert": .string(title)]] }

    private func prepare() throws {
        let phone = try host.makeDevice("ios", ["id": "phone"])
        for title in ["Ordered", "Other", "Shipped", "Delivered"] {
            host.push(to: token(of: phone), body: ["aps": ["alert": .string(title)]])
        }
        try host.ask(.post, "/devices/phone/act", ["kind": "open", "notification": "n3"])
    }

    @Test func `a match that came too early says what it came before`() throws {
        try prepare()
        let verdict = try expect(417, [Self.title("Shipped"), Self.title("Ordered")])
        let nearest = try #require(verdict.at("nearest").elements.first)
        #expect(nearest.at("message") == "p1")
        let difference = try #require(nearest.at("differs").elements.first)
        #expect(difference.at("at") == "since" && nearest.at("differs").elements.count == 1)
        // What came before the caller's own start is no part of the sequence.
        let since = try host.ask(.get, "/stats").at("events")
        host.push(body: ["aps": ["alert": "Shipped"]])
        let later = try expect(
            417, .array([Self.title("Shipped"), Self.title("Ordered")].map { $0.merging(["since": since]) }))
        #expect(later.at("nearest").elements.allSatisfy { $0.at("differs", 0, "note") == .null })
        #expect(
            difference.at("note") == "This came too early: before p3, which matched filter 1 of the sequence.")
    }

    /// Sequences, and how many of their filters match in order.
    static let rows: [(JSONValue, Int64, [String])] = [
        ([title("Ordered"), title("Shipped"), title("Delivered")], 3, ["p1", "p3", "p4"]),
        ([title("Ordered")], 1, ["p1"]),
        ([title("Shipped"), title("Ordered")], 1, ["p3"]), ([title("Lost"), title("Ordered")], 0, []),
        ([title("Ordered"), title("Lost"), title("Delivered")], 1, ["p1"]),
        ([title("Ordered"), title("Ordered")], 1, ["p1"]), ([[:], [:], [:], [:]], 4, ["p1", "p2", "p3", "p4"]),
        ([[:], [:], [:], [:], [:]], 4, ["p1", "p2", "p3", "p4"]),
        ([["device": "phone"], ["device": "phone"], ["device": "phone"]], 3, ["p1", "p2", "p3"]),
        ([title("Shipped"), ["event": ["kind": "opened"]]], 2, ["p3"]),
        (
            [
                title("Shipped"), ["event": ["kind": "presented"]], title("Delivered"),
                ["event": ["kind": "opened", "device": "phone"]],
            ], 4, ["p3", "p4"]
        ),
        ([["event": ["kind": "opened"]], title("Delivered")], 1, ["p3"]),
        (
            [["event": ["kind": "presented"]], ["event": ["kind": "presented"]], ["event": ["kind": "presented"]]], 3,
            ["p1", "p2", "p3"]
        ),
        (
            [["bodyText": ["/aps/alert": ["regex": "ed$"]]], ["bodyText": ["/aps/alert": ["prefix": "Del"]]]], 2,
            ["p1", "p4"]
        ),
    ]

    @Test(arguments: rows.indices) func `the filters match in order, and others may lie between`(_ index: Int) throws {
        let (sequence, count, pushes) = Self.rows[index]
        try prepare()
        let isMet = count == Int64(sequence.elements.count)
        let verdict = try expect(isMet ? 200 : 417, sequence)
        #expect(
            verdict.at("count") == .int(count) && verdict.at("messages") == .texts(pushes), "\(sequence) \(verdict)")
        #expect(verdict.at("missing") == (isMet ? .null : .int(count)))
        let numbers = verdict.at("events").elements.compactMap(\.int)
        #expect(numbers.count == Int(count) && numbers == numbers.sorted() && Set(numbers).count == numbers.count)
    }

    @Test(arguments: rows.indices) func `what happens later counts in the same way`(_ index: Int) throws {
        let (sequence, count, pushes) = Self.rows[index]
        let body: JSONValue = ["sequence": sequence, "within": "10ms"]
        guard case .deferred(.expect(let expectation)) = host.reply(.post, "/expect", raw: body.bytes) else {
            throw Unexpected("it is decided")
        }
        host.box.engine.expectations.add(
            expectation, .init(connection: .init(slot: 1, generation: 1), stream: nil), at: 0)
        try prepare()
        host.evaluateExpectations()
        #expect(host.decided.count == (count == Int64(sequence.elements.count) ? 1 : 0))
        host.loopNow = 10
        host.evaluateExpectations()
        let verdict = try #require(host.decided.map { TestHost.Answer($0) }.first).json()
        #expect(
            verdict.at("count") == .int(count) && verdict.at("messages") == .texts(pushes), "\(sequence) \(verdict)")
        #expect(Schema.named("Verdict").mismatch(verdict) == nil)
    }

    @Test func `the verdict names the first that is missing, and what came nearest after the one before it`() throws {
        try prepare()
        let late = try expect(417, [Self.title("Shipped"), Self.title("Ordered"), Self.title("Delivered")])
        let shipped = late.at("events", 0)
        #expect(
            late.at("why")
                == .string(
                    "Number 2 of the sequence of 3 is missing: no push after event \(shipped.int ?? 0) matches it."))
        #expect(late.at("nearest", 0, "message") == "p1", "it matches, but came too early")
        #expect(late.at("nearest", 0, "differs", 0, "expected") == shipped)
        #expect(late.at("nearest", 1, "message") == "p4")
        let event = try expect(417, [Self.title("Delivered"), ["event": ["kind": "dismissed"]]])
        #expect(event.at("why").text?.contains("no event after event") == true)
        #expect(
            event.at("nearest", 0, "differs", 0) == [
                "at": "event/kind", "expected": "dismissed", "got": event.at("nearest", 0, "kind"),
            ])
        #expect(
            try expect(417, [Self.title("Lost")]).at("why")
                == "Number 1 of the sequence of 1 is missing: no push matches it.")
    }

    static let refusals: [(JSONValue, String)] = [
        (["sequence": []], "/sequence"), (["sequence": [:]], "/sequence"), (["sequence": [7]], "/sequence/0"),
        (["sequence": [[:], ["colour": 1]]], "/sequence/1/colour"),
        (["sequence": [["match": [:]]]], "/sequence/0/match"),
        (["sequence": [[:]], "match": [:]], "/sequence"), (["sequence": [[:]], "count": 1], "/sequence"),
        (["sequence": [[:]], "never": true], "/sequence"),
        (["sequence": .array(Array(repeating: [:], count: 101))], "/sequence"),
        (["sequence": [[:], ["text": ["regex": "a{600}"]], ["text": ["regex": "a{600}"]]]], "/sequence/2"),
        (["sequence": .array(Array(repeating: ["app": "a", "topic": "b", "text": "c"], count: 84))], "/sequence/83"),
        (["sequence": [["event": ["kind": "nothing"]]]], "/sequence/0/event/kind"),
    ]

    @Test(arguments: refusals)
    func `a bad sequence is refused with the place of the error`(_ body: JSONValue, _ pointer: String) throws {
        #expect(try host.problem(.post, "/expect", body) == .init(status: 400, code: "badField", pointer: pointer))
    }

    @Test func `a sequence of 100 is as long as one can be`() throws {
        for _ in 1...100 { host.push() }
        #expect(try expect(200, .array(Array(repeating: [:], count: 100))).at("count") == 100)
    }
}

import HTTPCore
import JSON
import Testing

@testable import ControlAPI

/// Values of a fault that are refused, with the place of each error.
struct FaultValueTests {
    private static let hit: JSONValue = ["answer": ["status": 503, "reason": "Shutdown"]]

    /// Delays, and the end of the pointer.
    static let delays: [(JSONValue, String)] = [
        (5, ""), ("5", ""), ("-1s", ""), ([], ""), ([:], ""), (["uniform": []], ""), (["uniform": ["1s"]], ""),
        (["uniform": ["1s", "2s", "3s"]], ""), (["uniform": ["3s", "1s"]], ""), (["uniform": ["1s", "x"]], ""),
        (["uniform": "1s"], "/uniform"), (["uniform": ["1s", 2]], "/uniform"), (["median": 1], "/median"),
        (["median": "x"], "/median"), (["median": "1s", "sigma": -1], "/sigma"),
        (["median": "1s", "sigma": 5.1], "/sigma"), (["median": "1s", "sigma": "1"], "/sigma"), (["sigma": 1], ""),
        (["median": "1s", "uniform": ["1s", "2s"]], ""), (["uniform": ["1s", "2s"], "sigma": 1], ""),
        (["mean": "1s"], "/mean"),
    ]

    @Test(arguments: ["delay", "deliverAfter"], delays.indices)
    func `a delay is a duration or a distribution`(name: String, index: Int) throws {
        let (value, pointer) = Self.delays[index]
        try expectRefusal(of: ["effect": .object([(name, value)])], at: "/effect/\(name)\(pointer)")
    }

    @Test(
        arguments: [
            ("resetAfterHeaders", ["OOPS", 2, ["CANCEL"], "", nil]), ("truncate", [-1, 1.5, "5", 1_048_577, nil]),
            ("window", [-1, 65_536, "0", nil]), ("tls", ["over", nil]), ("delay", [nil]), ("deliverAfter", [nil]),
        ] as [(String, [JSONValue])])
    func `an effect has values of its kind`(name: String, values: [JSONValue]) throws {
        for value in values { try expectRefusal(of: ["effect": .object([(name, value)])], at: "/effect/\(name)") }
    }

    @Test(
        arguments: [
            (["effect": [["tls": "expired"], ["delay": "1s"]]], "/effect"),
            (["effect": ["truncate": 1, "window": 1]], "/effect"),
            (["effect": [hit, ["truncate": "x"]]], "/effect/1/truncate"),
            (["effect": ["tls": "expired"], "match": ["headers": ["a": "b"]]], "/match"),
            (["effect": ["tls": "expired"], "match": ["body": ["/a": 1]]], "/match"),
            (["effect": ["goAway": [:]], "idle": "1s", "match": ["body": ["/a": 1]]], "/match"),
            (["effect": hit, "scenario": "apns-shutdown"], "/scenario"),
            (["effect": hit, "match": ["header": [:]]], "/match/header"),
        ] as [(JSONValue, String)])
    func `effects and matches that exclude each other are refused`(body: JSONValue, pointer: String) throws {
        try expectRefusal(of: body, at: pointer)
    }

    @Test func `the members of a match and the seed have their types`() throws {
        for value in [[], "a", ["a": 1], ["a": nil], ["a": ["b"]]] as [JSONValue] {
            try expectRefusal(of: ["effect": Self.hit, "match": ["headers": value]], at: "/match/headers")
        }
        for value in [[], "/a", ["a": 1], ["/a~2": 1], ["/a~": 1]] as [JSONValue] {
            try expectRefusal(of: ["effect": Self.hit, "match": ["body": value]], at: "/match/body")
        }
        for value in [-1, 4_294_967_296, "1", 0.5] as [JSONValue] {
            try expectRefusal(of: ["effect": Self.hit, "seed": value], at: "/seed")
        }
    }

    private func expectRefusal(
        of body: JSONValue, at pointer: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let host = TestHost()
        let problem = try host.problem(.post, "/faults", body)
        #expect(
            problem == .init(status: 400, code: "badField", pointer: pointer), "\(body)",
            sourceLocation: sourceLocation)
        #expect(try host.ask(.get, "/faults") == ["faults": [], "next": nil], sourceLocation: sourceLocation)
    }
}

import HTTPCore
import JSON
import Testing

@testable import ControlAPI

struct FaultTests {
    private static let silence: JSONValue = ["effect": ["silence": true], "match": ["app": "x"]]

    private static func answer(_ answer: JSONValue) -> JSONValue { ["effect": ["answer": answer]] }

    private static func manyFields(_ count: Int) -> JSONValue {
        .object((0..<count).map { ("a\($0)", "b") })
    }

    static let refusals: [(JSONValue, String)] = [
        ([:], "/effect"), ([], ""), (["effect": [:]], "/effect"), (["effect": nil], "/effect"),
        (["effect": 7], "/effect"),
        (["effect": ["silence": true, "reset": "CANCEL"]], "/effect"), (["effect": ["dance": 1]], "/effect"),
        (["effect": [["silence": true], 7]], "/effect/1"), (["effect": ["wire": "dance"]], "/effect/wire"),
        (["effect": ["delay": "5"]], "/effect/delay"), (["effect": ["delay": nil]], "/effect/delay"),
        (["effect": ["reset": "X"]], "/effect/reset"), (["effect": ["reset": []]], "/effect/reset"),
        (["effect": ["reset": ["CANCEL", "X"]]], "/effect/reset"),
        (["effect": ["streamLimit": -1]], "/effect/streamLimit"), (["effect": ["deliver": 11]], "/effect/deliver"),
        (["effect": ["close": "x"]], "/effect/close"), (answer([:]), "/effect/answer/status"),
        (answer(["status": 100]), "/effect/answer/status"),
        (answer(["status": 204, "body": "x"]), "/effect/answer/status"),
        (answer(["status": 400, "reason": "x", "body": "y"]), "/effect/answer/body"),
        (answer(["status": 400, "contentType": "text/html"]), "/effect/answer/contentType"),
        (answer(["status": 400, "body": "x", "contentType": "text/html\r\nA: b"]), "/effect/answer/contentType"),
        (answer(["status": 400, "body": "x", "contentType": "text/\u{0}html"]), "/effect/answer/contentType"),
        (answer(["status": 400, "body": "x", "contentType": "text/\u{FC}"]), "/effect/answer/contentType"),
        (
            answer(["status": 400, "body": "x", "contentType": .string(String(repeating: "x", count: 201))]),
            "/effect/answer/contentType"
        ),
        (answer(["status": 400, "headers": ["a b": "c"]]), "/effect/answer/headers/a b"),
        (answer(["status": 400, "headers": ["a": "\r\n"]]), "/effect/answer/headers/a"),
        (answer(["status": 400, "headers": ["Transfer-Encoding": "x"]]), "/effect/answer/headers/Transfer-Encoding"),
        (answer(["status": 400, "headers": manyFields(33)]), "/effect/answer/headers"),
        (answer(["recorded": "nothing"]), "/effect/answer/recorded"),
        (answer(["recorded": "html-502", "status": 500]), "/effect/answer/status"),
        (answer(["recorded": ""]), "/effect/answer/recorded"), (answer(["recorded": 5]), "/effect/answer/recorded"),
        (answer(["recorded": "html-502", "reason": "INTERNAL"]), "/effect/answer/body"),
        (answer(["recorded": "html-502", "body": "x"]), "/effect/answer/body"),
        (answer(["recorded": "html-502", "headers": ["connection": "x"]]), "/effect/answer/headers/connection"),
        (["effect": ["goAway": ["code": 7]]], "/effect/goAway/code"),
        (["effect": ["goAway": ["last": -7]]], "/effect/goAway/last"),
        (["effect": ["goAway": ["debug": .string(String(repeating: "x", count: 16_001))]]], "/effect/goAway/debug"),
        (["effect": ["silence": 1]], "/effect/silence"), (["effect": []], "/effect"),
        (["effect": ["silence": false]], "/effect"), (["effect": ["sticky": true]], "/effect"),
        (silence.merging(["a/b~c": 1]), "/a~1b~0c"), (silence.merging(["colour": "red"]), "/colour"),
        (["effect": ["tls": "alert"], "match": ["app": "a"]], "/match"),
        (["effect": ["tls": "alert"], "per": "connection"], "/match"),
        (["effect": [["tls": "alert"], ["delay": "1s"]]], "/effect"),
        (silence.merging(["idle": "1s"]), "/effect"),
        (["effect": ["wire": "goawayIdle"], "idle": "1s", "match": ["app": "a"]], "/match"),
        (silence.merging(["nth": 0]), "/nth"), (silence.merging(["nth": "1"]), "/nth"),
        (silence.merging(["times": 0]), "/times"),
        (silence.merging(["every": 1.5]), "/every"), (silence.merging(["after": -1]), "/after"),
        (silence.merging(["probability": 2]), "/probability"), (silence.merging(["seed": -1]), "/seed"),
        (silence.merging(["for": "1"]), "/for"), (silence.merging(["per": "x"]), "/per"),
        (silence.merging(["match": ["colour": "red"]]), "/match/colour"), (silence.merging(["match": 7]), "/match"),
        (silence.merging(["match": ["provider": "huawei"]]), "/match/provider"),
        (silence.merging(["match": ["headers": ["a": 1]]]), "/match/headers"),
        (silence.merging(["match": ["body": ["alert": 1]]]), "/match/body"),
    ]

    @Test(arguments: refusals)
    func `a bad fault is refused with the place of the error, and none is set`(_ body: JSONValue, _ pointer: String)
        throws
    {
        let host = TestHost()
        #expect(try host.problem(.post, "/faults", body) == .init(status: 400, code: "badField", pointer: pointer))
        #expect(try host.ask(.get, "/faults") == ["faults": [], "next": nil])
    }

    @Test func `a fault is shown as it was set, with its counts`() throws {
        let host = TestHost()
        let body: JSONValue = [
            "match": ["app": .string(TestHost.app), "token": nil], "effect": ["wire": "503Shutdown"], "times": 2,
            "after": 1,
            "per": "gateway", "seed": 7, "probability": 1, "for": "1h", "idle": nil,
        ]
        let fault = try host.ask(.post, "/faults", body, status: 201)
        #expect(fault == body.without("idle").merging(["id": "f1", "state": "active", "seen": 0, "fired": 0]))
        #expect((1...4).map { _ in host.push().status } == [200, 503, 503, 200])
        host.push(topic: TestHost.otherApp)
        #expect(
            try host.ask(.get, "/faults").at("faults") == [fault.merging(["state": "usedUp", "seen": 4, "fired": 2])])
        #expect(try host.messages("rule=fault.503Shutdown").map { $0.at("status") } == [503, 503])
    }

    @Test func `a fault without a seed gets one and shows it`() throws {
        let host = TestHost()
        let seeds = try (1...2).map { _ in
            try host.ask(.post, "/faults", Self.silence, status: 201).at("seed").int ?? -1
        }
        #expect(seeds[0] != seeds[1] && seeds.allSatisfy { (0...Int64(UInt32.max)).contains($0) })
    }

    @Test func `the list of faults comes in pages`() throws {
        let host = TestHost()
        let made = try (1...60).map { _ in try host.ask(.post, "/faults", Self.silence, status: 201).at("id") }
        var (found, cursor): ([JSONValue], String?) = ([], "0")
        for count in [25, 25, 10] {
            let page = try host.ask(.get, "/faults?limit=25&cursor=\(cursor ?? "")")
            #expect(page.at("faults").elements.count == count)
            found += page.at("faults").elements.map { $0.at("id") }
            cursor = page.at("next").text
        }
        #expect(found == made && cursor == nil)
        #expect(try host.ask(.get, "/faults").at("faults").elements.count == 50)
    }

    @Test func `a fault is removed by its id, or with all others`() throws {
        let host = TestHost()
        for _ in 1...3 { try host.ask(.post, "/faults", Self.silence, status: 201) }
        try host.ask(.delete, "/faults/f2", status: 204)
        for id in ["f2", "f9", "x"] {
            #expect(try host.problem(.delete, "/faults/\(id)") == .init(status: 404, code: "notFound", pointer: nil))
        }
        #expect(try host.ask(.get, "/faults").at("faults").elements.map { $0.at("id") } == ["f1", "f3"])
        try host.ask(.delete, "/faults", status: 204)
        #expect(try host.ask(.get, "/faults").at("faults") == [])
        #expect(try host.ask(.post, "/faults", Self.silence, status: 201).at("id") == "f4")
    }

    @Test(
        arguments: [
            (
                "goawayShutdown",
                #"'goawayShutdown' is not an effect. Did you mean {"wire":"goawayShutdown"}? An effect must be"#
            ),
            (["goAwayShutdown": true], #"'goAwayShutdown' is not an effect. Did you mean {"wire":"goawayShutdown"}? "#),
            (["strealLimit": 1], #"'strealLimit' is not an effect. Did you mean {"streamLimit":…}? "#),
            (["dely": "5s"], #"'dely' is not an effect. Did you mean {"delay":…}? "#),
            ("silence", #"'silence' is not an effect. Did you mean {"silence":…}? "#),
            (
                ["silence": true, "delay": "1s"],
                #"An effect must have exactly one member. For several effects, use a list: [{"silence":…},{"delay":…}]."#
            ),
            (["silence": true, "dely": "1s"], #"'dely' is not an effect. Did you mean {"delay":…}? "#),
            (["dance": 1], "'dance' is not an effect. An effect must be an object"), (7, "An effect must be an object"),
        ] as [(JSONValue, String)])
    func `an unknown effect is refused with the name that is meant`(effect: JSONValue, start: String) throws {
        let problem = try TestHost().problem(.post, "/faults", ["effect": effect])
        #expect(problem.status == 400 && problem.message.hasPrefix(start), "\(problem.message)")
    }

    @Test func `there are at most 1,000 faults`() throws {
        let host = TestHost()
        for _ in 1...1000 { try host.ask(.post, "/faults", Self.silence, status: 201) }
        let full = TestHost.Problem(status: 409, code: "tooMany", pointer: nil)
        #expect(try host.problem(.post, "/faults", Self.silence) == full)
        #expect(try host.problem(.post, "/scenarios/fcm-502-html") == full)
        try host.ask(.delete, "/faults/f1", status: 204)
        // This one has two faults, so there is no room for it yet.
        #expect(try host.problem(.post, "/scenarios/apns-stream-limit-drop") == full)
        try host.ask(.post, "/faults", Self.silence, status: 201)
        try host.ask(.delete, "/faults", status: 204)
        try host.ask(.post, "/faults", Self.silence, status: 201)
    }
}

import Devices
import HTTPCore
import JSON
import PushCore
import Testing

@testable import PushEngine

/// Faults that are set on purpose: which requests they hit, and what they do.
@Suite struct FaultTests {
    private static let refuse = #""effect":{"answer":{"status":500,"reason":"InternalServerError"}}"#

    /// What `match` says, and which of the pushes in `candidates` it hits.
    @Test(
        arguments: [
            (#"{}"#, [0, 1, 2, 3, 4]), (#"{"provider":"apns"}"#, [0, 1, 2]), (#"{"provider":"fcm"}"#, [3, 4]),
            (#"{"app":"com.example.app"}"#, [0, 1, 3]), (#"{"app":"demo"}"#, [3, 4]), (#"{"app":"other"}"#, []),
            (#"{"token":"IOS"}"#, [0, 1]), (#"{"token":"ANDROID"}"#, [3]), (#"{"token":"FID"}"#, [3]),
            (#"{"topic":"news"}"#, [4]), (#"{"topic":"com.example.app"}"#, [0, 1]),
            (#"{"pushType":"background"}"#, [1]), (#"{"environment":"production"}"#, [0, 1, 2]),
            (#"{"environment":"sandbox"}"#, []), (#"{"reason":"accepted"}"#, [0, 1, 3, 4]),
            (#"{"reason":"BadDeviceToken"}"#, [2]), (#"{"headers":{"apns-priority":"5"}}"#, [1]),
            (#"{"headers":{"Apns-Priority":"5"}}"#, [1]), (#"{"headers":{"apns-priority":"10"}}"#, []),
            (#"{"body":{"/aps/badge":7}}"#, [0]), (#"{"body":{"/aps/badge":8}}"#, []),
            (#"{"body":{"/message/data/a":"b"}}"#, [3]), (#"{"body":{"/message/topic":"news"}}"#, [4]),
            (#"{"provider":"apns","app":"com.example.app","pushType":"background"}"#, [1]),
            (#"{"provider":"fcm","pushType":"background"}"#, []),
        ] as [(String, [Int])])
    func `a match says which requests are hit`(match: String, expected: [Int]) throws {
        let fixture = EngineFixture()
        fixture.make("i")
        fixture.make("a", .android)
        let text = match.replacing("IOS", with: fixture.apnsToken("i").uppercased())
            .replacing("ANDROID", with: fixture.fcmToken("a")).replacing("FID", with: fixture.device("a").fid)
        try fixture.fault(#"{"match":\#(text),\#(Self.refuse)}"#)
        let candidates = [
            fixture.push(to: "i", body: #"{"aps":{"badge":7}}"#),
            fixture.push(
                to: "i", ["apns-push-type": "background", "apns-priority": "5"],
                body: #"{"aps":{"content-available":1}}"#),
            fixture.push("abc", topic: "com.example.third"),
            fixture.message(to: "a"),
            fixture.message(#""topic":"news""#),
        ]
        #expect(candidates.indices.filter { candidates[$0].fault == "f1" } == expected)
    }

    @Test func `a fault replaces the answer: no state changes and nothing is delivered`() throws {
        let fixture = EngineFixture()
        try fixture.fault("{\(Self.refuse)}")
        let answer = fixture.push()
        #expect(answer.description == "500 InternalServerError")
        #expect(answer.headers["apns-id"]?.count == 36)
        #expect(
            fixture.take() == ["refused p1 fault.custom 500 InternalServerError", "fault p1 fault.custom fault=f1"])
        #expect(fixture.engine.devices.count == 0)
        let message = fixture.message(#""token":"\#(EngineFixture.fcmToken)""#)
        #expect(message.status == 500)
        #expect(fixture.engine.devices.count == 0)
        #expect((fixture.engine.metrics.accepted, fixture.engine.metrics.refused) == (0, 2))
    }

    /// The effects, the answer, and the events after it.
    static let effects: [(effect: String, answer: String, events: [String])] = [
        (
            #"[{"deliver":1},{"answer":{"status":503,"reason":"ServiceUnavailable"}}]"#, "503 ServiceUnavailable",
            ["accepted p1 d 503 ServiceUnavailable", "delivered p1 d", "fault p1 fault=f1"]
        ),
        (
            #"[{"deliver":2}]"#, "200",
            ["accepted p1 d 200", "delivered p1 d", "delivered p1 d", "fault p1 fault=f1"]
        ),
        (#"[{"deliver":0}]"#, "200", ["accepted p1 d 200", "fault p1 fault=f1"]),
        (#"{"delay":"5s"}"#, "200", ["accepted p1 d 200", "delivered p1 d", "fault p1 fault=f1 delay=5s"]),
        (#"{"silence":true}"#, "500", ["refused p1 0", "fault p1 fault=f1"]),
        (#"{"reset":"REFUSED_STREAM"}"#, "500", ["refused p1 0", "fault p1 fault=f1"]),
        (#"{"close":"reset"}"#, "500", ["refused p1 0", "fault p1 fault=f1"]),
        (#"{"streamLimit":1}"#, "200", ["accepted p1 d 200", "delivered p1 d", "fault p1 fault=f1"]),
        (#"{"goAway":{"last":"request"}}"#, "200", ["accepted p1 d 200", "delivered p1 d", "fault p1 fault=f1"]),
        (#"{"goAway":{"last":"before"}}"#, "500", ["refused p1 0", "fault p1 fault=f1"]),
        (#"{"answer":{"status":200}}"#, "200", ["accepted p1 200", "fault p1 fault=f1"]),
        (#"{"wire":"lostResponse"}"#, "200", ["accepted p1 d 200", "delivered p1 d", "fault p1 fault=f1"]),
    ]

    @Test(arguments: effects.indices) func `an effect on an APNs push`(index: Int) throws {
        let row = Self.effects[index]
        let fixture = EngineFixture()
        fixture.silently { fixture.make("d") }
        try fixture.fault(#"{"effect":\#(row.effect)}"#)
        #expect(fixture.push(to: "d").description == row.answer)
        fixture.finish()
        #expect(fixture.take().map(Self.withoutRules) == row.events)
    }

    @Test(arguments: effects.indices) func `the same effect on an FCM message`(index: Int) throws {
        let row = Self.effects[index]
        let fixture = EngineFixture()
        fixture.silently { fixture.make("d", .android) }
        try fixture.fault(#"{"effect":\#(row.effect)}"#)
        let answer = fixture.message(to: "d")
        // What has no answer keeps the true one until the gateway drops it.
        if row.answer != "500" { #expect(answer.status == Int(row.answer.prefix(3))) }
        fixture.finish()
        #expect(fixture.take().map(Self.withoutRules) == row.events)
    }

    private static func withoutRules(_ line: String) -> String {
        line.split(separator: " ").filter { !$0.hasPrefix("apns.") && !$0.hasPrefix("fcm.") && !$0.hasPrefix("fault.") }
            .joined(separator: " ")
    }

    @Test func `only one of two copies waits for a device that is offline`() throws {
        let fixture = EngineFixture()
        fixture.make("d")
        fixture.set("d", #"{"online":false}"#)
        _ = fixture.take()
        try fixture.fault(#"{"effect":{"deliver":2}}"#)
        fixture.push(to: "d")
        #expect(fixture.take().filter { $0.hasPrefix("stored") } == ["stored p1 d apns.stored-offline"])
    }

    @Test func `a late delivery comes when its time has come`() throws {
        let fixture = EngineFixture()
        fixture.silently {
            fixture.make("i")
            fixture.make("a", .android)
        }
        try fixture.fault(#"{"effect":{"deliverAfter":"5s"}}"#)
        #expect(fixture.push(to: "i").status == 200)
        #expect(fixture.message(to: "a").status == 200)
        #expect(
            fixture.take() == [
                "accepted p1 i apns.received 200", "fault p1 fault.custom fault=f1 deliverAfter=5s",
                "accepted p2 a 200",
                "fault p2 fault.custom fault=f1 deliverAfter=5s",
            ])
        fixture.advance(4999)
        #expect(fixture.take() == [])
        fixture.advance(1)
        #expect(fixture.take() == ["delivered p1 i apns.delivered", "delivered p2 a fcm.delivered"])
    }

    @Test func `a late delivery does not reach the device that took the place of its own`() throws {
        let fixture = EngineFixture()
        fixture.make("old")
        try fixture.fault(#"{"effect":{"deliverAfter":"5s"}}"#)
        fixture.push(to: "old")
        let place = fixture.place("old")
        fixture.delete("old")
        fixture.make("new")
        #expect(fixture.place("new") == place)
        _ = fixture.take()
        fixture.advance(5000)
        #expect(fixture.take() == [])
    }

    /// When a fault is due: its conditions, and the numbers of the pushes that it hits among ten.
    @Test(
        arguments: [
            (#""nth":3"#, [3]), (#""every":3"#, [3, 6, 9]), (#""after":7"#, [8, 9, 10]), (#""times":2"#, [1, 2]),
            (#""every":2,"times":2"#, [2, 4]), (#""after":2,"every":3"#, [3, 6, 9]), (#""probability":0"#, []),
            (#""probability":1"#, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
        ] as [(String, [Int])])
    func `a fault counts the requests that match`(conditions: String, expected: [Int]) throws {
        let fixture = EngineFixture()
        try fixture.fault(#"{"match":{"pushType":"alert"},\#(Self.refuse),\#(conditions)}"#)
        var hit: [Int] = []
        for number in 1...10 {
            // Others do not count.
            fixture.push()
            if fixture.push(["apns-push-type": "alert"]).fault != nil { hit.append(number) }
        }
        #expect(hit == expected)
        let fault = try #require(fixture.engine.faults.faults.first)
        #expect((fault.seen, fault.fired) == (10, expected.count))
    }

    @Test func `chance comes from the seed, and comes again with it`() throws {
        func hits(_ seed: String) throws -> [Bool] {
            let fixture = EngineFixture()
            try fixture.fault(#"{\#(Self.refuse),"probability":0.5,"seed":\#(seed)}"#, seed: 99)
            return (0..<64).map { _ in fixture.push().fault != nil }
        }
        let first = try hits("1")
        #expect(try hits("1") == first)
        #expect(try hits("2") != first)
        #expect(try hits("99") == hits("null"))
        #expect((16...48).contains(first.count(where: \.self)))
    }

    @Test func `requests are counted for the gateway, a connection or a token`() throws {
        for (per, expected) in [("gateway", [2]), ("connection", [2, 4]), ("token", [2, 4])] {
            let fixture = EngineFixture()
            try fixture.fault(#"{\#(Self.refuse),"nth":2,"per":"\#(per)"}"#)
            let tokens = ["a1", "a1", "b2", "b2"].map { String(repeating: $0, count: 32) }
            var hit: [Int] = []
            for (index, token) in tokens.enumerated() {
                // Each token comes on its own connection.
                if index == 2 { fixture.memory = FaultMemory() }
                if fixture.push(token).fault != nil { hit.append(index + 1) }
            }
            #expect(hit == expected, "\(per)")
        }
    }

    @Test func `the first fault that is due wins`() throws {
        let fixture = EngineFixture()
        try fixture.fault(#"{\#(Self.refuse),"nth":2}"#)
        try fixture.fault(#"{"effect":{"answer":{"status":503,"reason":"Shutdown"}}}"#)
        #expect((0..<3).map { _ in fixture.push().fault } == ["f2", "f1", "f2"])
        let removed = (0..<2).map { _ in fixture.engine.faults.remove("f2") }
        #expect(removed == [true, false])
        #expect(fixture.push().fault == nil)
    }

    @Test func `a fault ends with its time`() throws {
        let fixture = EngineFixture()
        try fixture.fault(#"{\#(Self.refuse),"for":"5s"}"#)
        #expect(fixture.push().fault == "f1")
        fixture.advance(5000)
        #expect(fixture.push().fault == "f1")
        fixture.advance(1)
        #expect(fixture.push().status == 200)
    }

    @Test func `a sticky fault stays with its connection until it is removed`() throws {
        let fixture = EngineFixture()
        try fixture.fault(#"{"match":{"pushType":"alert"},"effect":{"wire":"wedged500"},"times":1}"#)
        #expect(fixture.push().status == 200)
        #expect(fixture.push(["apns-push-type": "alert"]).status == 500)
        #expect(fixture.push().description == "500 InternalServerError")
        let stuck = fixture.memory
        fixture.memory = FaultMemory()
        #expect(fixture.push().status == 200)
        fixture.memory = stuck
        #expect(fixture.push().status == 500)
        fixture.engine.faults.removeAll()
        #expect(fixture.push().status == 200)
    }

    @Test func `a removed token that a fault invents keeps its time of death`() throws {
        let fixture = EngineFixture()
        try fixture.fault(#"{"effect":{"wire":"410Fuzzy"}}"#)
        fixture.advance(60_000)
        let answer = fixture.push()
        #expect(answer.description == "410 Unregistered")
        #expect(answer.json?["timestamp"]?.int64 == EngineFixture.start.milliseconds)
    }

    /// What an answer's members make of the response.
    @Test(
        arguments: [
            (#"{"status":502,"body":"<html>","contentType":"text/html"}"#, 502, "<html>", "text/html"),
            (#"{"status":500}"#, 500, "", nil),
            (#"{"status":429,"reason":"TooManyRequests"}"#, 429, #"{"reason":"TooManyRequests"}"#, nil),
            (#"{"status":204}"#, 204, "", nil),
        ] as [(String, Int, String, String?)])
    func `a fault's answer is what it says`(answer: String, status: Int, body: String, type: String?) throws {
        let fixture = EngineFixture()
        try fixture.fault(#"{"effect":{"answer":\#(answer.dropLast()),"headers":{"Retry-After":"60"}}}}"#)
        let found = fixture.push()
        #expect(found.status == status)
        #expect(found.text == body)
        #expect(found.headers["content-type"] == type)
        #expect(found.headers["retry-after"] == "60")
    }

    @Test func `a recorded answer of Google's is answered by its name`() throws {
        let fixture = EngineFixture()
        try fixture.fault(#"{"match":{"provider":"fcm"},"effect":{"answer":{"recorded":"html-502"}}}"#)
        let answer = fixture.message(#""topic":"news""#)
        #expect(answer.status == 502)
        #expect(answer.text.contains("Server Error"))
        #expect(fixture.push().status == 200)
    }

    @Test func `handshakes and idle connections have faults that hit no request`() throws {
        let fixture = EngineFixture()
        try fixture.fault(#"{"effect":{"tls":"alert"},"nth":2}"#)
        try fixture.fault(#"{"effect":{"wire":"goawayIdle"},"idle":"5s"}"#)
        #expect(fixture.push().fault == nil)
        #expect(fixture.engine.faults.handshake(at: fixture.now)?.id == nil)
        #expect(fixture.engine.faults.handshake(at: fixture.now)?.id == "f1")
        #expect(fixture.engine.faults.idle(for: 4999, &fixture.memory, at: fixture.now)?.id == nil)
        #expect(fixture.engine.faults.idle(for: 5000, &fixture.memory, at: fixture.now)?.id == "f2")
    }

    /// Faults that can't be, and where the problem is.
    @Test(
        arguments: [
            (#"{}"#, "/effect"), (#"{"effect":[]}"#, "/effect"), (#"{"effect":{"silence":false}}"#, "/effect"),
            (#"{"effect":{"a":1}}"#, "/effect"), (#"{"effect":{"silence":true,"blackHole":true}}"#, "/effect"),
            (#"{"effect":[{"silence":true},{"delay":"soon"}]}"#, "/effect/1/delay"),
            (#"{"effect":{"wire":"none"}}"#, "/effect/wire"), (#"{"effect":{"answer":{}}}"#, "/effect/answer/status"),
            (#"{"effect":{"answer":{"status":99}}}"#, "/effect/answer/status"),
            (#"{"effect":{"answer":{"status":200,"contentType":"a"}}}"#, "/effect/answer/contentType"),
            (#"{"effect":{"answer":{"status":204,"reason":"a"}}}"#, "/effect/answer/status"),
            (#"{"effect":{"answer":{"status":500,"reason":"a","body":"b"}}}"#, "/effect/answer/body"),
            (#"{"effect":{"answer":{"status":500,"headers":{"te":"a"}}}}"#, "/effect/answer/headers/te"),
            (#"{"effect":{"answer":{"status":500,"headers":{"a":"é"}}}}"#, "/effect/answer/headers/a"),
            (#"{"effect":{"reset":"NONE"}}"#, "/effect/reset"), (#"{"effect":{"reset":[]}}"#, "/effect/reset"),
            (#"{"effect":{"goAway":{"last":"all"}}}"#, "/effect/goAway/last"),
            (#"{"effect":{"delay":{"uniform":["3s","1s"]}}}"#, "/effect/delay"),
            (#"{"effect":{"silence":true},"nth":0}"#, "/nth"),
            (#"{"effect":{"silence":true},"unknown":1}"#, "/unknown"),
            (#"{"effect":{"silence":true},"per":"day"}"#, "/per"),
            (#"{"effect":{"silence":true},"probability":2}"#, "/probability"),
            (#"{"effect":{"silence":true},"match":{"body":{"a":1}}}"#, "/match/body"),
            (#"{"effect":{"silence":true},"match":{"provider":"x"}}"#, "/match/provider"),
            (#"{"effect":{"silence":true},"idle":"1s"}"#, "/effect"),
            (#"{"effect":{"wire":"goawayIdle"},"idle":"1s","match":{"app":"a"}}"#, "/match"),
            (#"{"effect":{"tls":"alert"},"match":{"app":"a"}}"#, "/match"),
            (#"{"effect":[{"tls":"alert"},{"delay":"1s"}]}"#, "/effect"),
        ])
    func `a fault that makes no sense is refused, with the place`(text: String, pointer: String) throws {
        let fixture = EngineFixture()
        let error = #expect(throws: ControlProblem.self) { try fixture.fault(text) }
        #expect(error?.pointer == pointer, "\(text)")
        #expect(error?.status == 400)
        #expect(fixture.engine.faults.isEmpty)
    }

    @Test(arguments: WireFault.allCases) func `each named fault can be set, and its event has its rule`(wire: WireFault)
        throws
    {
        let fixture = EngineFixture()
        let isIdle = wire == .goawayIdle
        try fixture.fault(#"{"effect":{"wire":"\#(wire.rawValue)"}}"#)
        fixture.push()
        let isHandshake = [.tlsHandshakeFail, .certRotation].contains(wire)
        let events = fixture.takeEvents().filter { $0.kind == .fault }.map { $0.why?.description }
        #expect(events == (isHandshake ? [] : ["fault.\(wire.rawValue)"]), "\(isIdle)")
    }

    @Test(arguments: Scenario.all.map(\.name)) func `each scenario's faults can be set`(name: String) throws {
        let fixture = EngineFixture()
        let scenario = try #require(Scenario.all.first { $0.name == name })
        for text in scenario.faults {
            _ = try fixture.engine.faults.add(EngineFixture.json(text), of: name, at: fixture.now, seed: 1)
        }
        #expect(fixture.engine.faults.faults.map(\.scenario) == scenario.faults.map { _ in name })
    }

    @Test func `there are at most a thousand faults`() throws {
        let fixture = EngineFixture()
        for _ in 0..<1000 { try fixture.fault("{\(Self.refuse)}") }
        let error = #expect(throws: ControlProblem.self) { try fixture.fault("{\(Self.refuse)}") }
        #expect(error == FaultBook.full)
        #expect(error?.status == 409)
    }

    @Test func `delays are drawn within their bounds`() throws {
        for (text, range) in [
            (#"{"uniform":["1s","3s"]}"#, 1000...3000), (#"{"median":"1s","sigma":0}"#, 1000...1000),
            (#""250ms""#, 250...250),
        ] {
            let fixture = EngineFixture()
            try fixture.fault(#"{"effect":{"delay":\#(text)}}"#)
            var delays: Set<UInt64> = []
            for _ in 0..<50 {
                fixture.push()
                let fault = try #require(fixture.engine.faults.faults.first)
                #expect(range.contains(Int(fault.plan.delay)))
                delays.insert(fault.plan.delay)
            }
            #expect((delays.count > 10) == (range.count > 1))
        }
    }

    @Test func `calls about topics can be hit too`() throws {
        let fixture = EngineFixture()
        fixture.make("a", .android)
        try fixture.fault(#"{"match":{"topic":"news"},"effect":{"answer":{"status":503,"reason":"UNAVAILABLE"}}}"#)
        let path = "/iid/v1/\(fixture.fcmToken("a"))/rel/topics/"
        let fields = ["access_token_auth": "true"]
        #expect(fixture.google("POST", path + "sport", fields).status == 200)
        #expect(fixture.google("POST", path + "news", fields).status == 503)
        #expect(fixture.device("a").topics.keys.sorted() == ["sport"])
    }
}

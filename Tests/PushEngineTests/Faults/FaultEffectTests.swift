import Devices
import Faults
import JSON
import PushCore
import Testing

@testable import PushEngine

/// What a fault does to the answer, the state and the log.
@Suite struct FaultEffectTests {
    @Test func `a fault replaces the answer: no state changes and nothing is delivered`() throws {
        let fixture = EngineFixture()
        try fixture.fault("{\(EngineFixture.refusal)}")
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

    @Test(arguments: NamedFault.allCases) func `each named fault can be set, and its event has its rule`(
        wire: NamedFault
    )
        throws
    {
        let fixture = EngineFixture()
        try fixture.fault(#"{"effect":{"wire":"\#(wire.rawValue)"}}"#)
        fixture.push()
        let isOpening = [.tlsHandshakeFail, .certRotation, .slowAccept, .tooManyConnections, .noStreams].contains(wire)
        let events = fixture.takeEvents().filter { $0.kind == .fault }.map { $0.why?.description }
        #expect(events == (isOpening ? [] : ["fault.\(wire.rawValue)"]))
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
        // The client has no answer, whatever the provider's was.
        (#"{"wire":"lostResponse"}"#, "200", ["accepted p1 d 0", "delivered p1 d", "fault p1 fault=f1"]),
        (#"{"wire":"duplicateDelivery"}"#, "200", ["accepted p1 d 0", "delivered p1 d", "fault p1 fault=f1"]),
        (
            #"[{"deliver":1},{"silence":true}]"#, "200",
            ["accepted p1 d 0", "delivered p1 d", "fault p1 fault=f1"]
        ),
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
        let events = row.events.map { $0.replacing("ServiceUnavailable", with: "UNAVAILABLE") }
        #expect(fixture.take().map(Self.withoutRules) == events)
    }

    /// The effects beside `deliver`, and what a client sees in place of a refusal: of Apple's, and of Google's.
    static let refusals: [(effect: String, apns: String, fcm: String)] = [
        (#"{"answer":{"status":503,"reason":"Shutdown"}}"#, "503 Shutdown", "503 UNAVAILABLE"),
        (#"{"answer":{"status":500}}"#, "500", "500"), (#"{"answer":{"status":200}}"#, "200", "200"),
        (#"{"answer":{"status":429,"body":"{\"reason\":\"Own\"}"}}"#, "429 Own", "429"),
        (#"{"answer":{"recorded":"quota-project"}}"#, "429", "429 RESOURCE_EXHAUSTED"),
        (#"{"wire":"410Fuzzy"}"#, "410 Unregistered", "404 UNREGISTERED"),
        (#"{"reset":"CANCEL"}"#, "0", "0"), (#"{"delay":"1s"}"#, "400 BadPriority", "400 INVALID_ARGUMENT"),
    ]

    @Test(arguments: refusals) func `a refusal is recorded as the client saw it`(
        row: (effect: String, apns: String, fcm: String)
    ) throws {
        let fixture = EngineFixture()
        fixture.silently { fixture.make("d") }
        try fixture.fault(#"{"effect":[{"deliver":1},\#(row.effect)]}"#)
        fixture.push(to: "d", ["apns-priority": "7"])
        #expect(fixture.take().first == "refused p1 apns.BadPriority \(row.apns)")
        fixture.message(to: "d", #""apns":{"headers":{"apns-priority":"7"}}"#)
        #expect(fixture.take().first == "refused p2 apns.BadPriority \(row.fcm)")
        let path = "/4/broadcasts/apps/\(EngineFixture.app)"
        fixture.call("POST", path, ["apns-priority": "7"], body: "{}")
        let real = fixture.take().first?.split(separator: " ", maxSplits: 3).last.map(String.init)
        #expect(real == row.apns || row.apns == "400 BadPriority")
    }

    @Test(arguments: [
        ("410Fuzzy", 404, #""errorCode": "UNREGISTERED""#), ("badJSONBody", 400, #""code": 400,"#),
        ("htmlBody", 502, "<title>Error 502 (Server Error)!!1</title>"), ("emptyErrorBody", 500, ""),
        ("wedged500", 500, #""errorCode": "INTERNAL""#), ("503Shutdown", 503, #""errorCode": "UNAVAILABLE""#),
    ]) func `a named fault answers Google's calls in Google's words`(name: String, status: Int, part: String) throws {
        let fixture = EngineFixture()
        try fixture.fault(#"{"effect":{"wire":"\#(name)"}}"#)
        let answer = fixture.message(#""topic":"news""#)
        #expect(answer.status == status)
        #expect(part.isEmpty ? answer.text.isEmpty : answer.text.contains(part))
        #expect(!answer.text.contains("reason"))
        #expect(answer.headers["content-type"]?.contains("json") ?? true || name == "htmlBody")
        #expect(fixture.lastRecord?.status == status)
    }

    private static func withoutRules(_ line: String) -> String {
        line.split(separator: " ").filter { !$0.hasPrefix("apns.") && !$0.hasPrefix("fcm.") && !$0.hasPrefix("fault.") }
            .joined(separator: " ")
    }

    @Test func `a token that a fault declares as removed keeps its time of removal`() throws {
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
    func `a fault's answer is as it describes`(answer: String, status: Int, body: String, type: String?) throws {
        let fixture = EngineFixture()
        try fixture.fault(#"{"effect":{"answer":\#(answer.dropLast()),"headers":{"Retry-After":"60"}}}}"#)
        let found = fixture.push()
        #expect(found.status == status)
        #expect(found.text == body)
        #expect(found.headers["content-type"] == type)
        #expect(found.headers["retry-after"] == "60")
    }

    @Test func `a fault can name a recorded answer of Google`() throws {
        let fixture = EngineFixture()
        try fixture.fault(#"{"match":{"provider":"fcm"},"effect":{"answer":{"recorded":"html-502"}}}"#)
        let answer = fixture.message(#""topic":"news""#)
        #expect(answer.status == 502)
        #expect(answer.text.contains("Server Error"))
        #expect(fixture.push().status == 200)
    }
}

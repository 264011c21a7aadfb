import JSON
import PushCore
import Testing

@testable import Faults

/// Which faults can be set, and why others are refused.
@Suite struct FaultSettingTests {
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
            (#"{"effect":[{"acceptDelay":"1s"},{"connectionLimit":1}]}"#, "/effect"),
            (#"{"effect":{"acceptDelay":"soon"}}"#, "/effect/acceptDelay"),
            (#"{"effect":{"connectionLimit":-1}}"#, "/effect/connectionLimit"),
            (#"{"effect":{"connectionLimit":1},"per":"token"}"#, "/match"),
            (#"{"effect":{"firstStreamLimit":2001}}"#, "/effect/firstStreamLimit"),
            (#"{"effect":{"firstStreamLimit":0},"idle":"1s"}"#, "/match"),
            (#"{"effect":{"goAway":{"keepOpen":"yes"}}}"#, "/effect/goAway/keepOpen"),
        ])
    func `an invalid fault is refused with the place of the error`(text: String, pointer: String) throws {
        let fixture = FaultFixture()
        let error = #expect(throws: ControlProblem.self) { try fixture.fault(text) }
        #expect(error?.pointer == pointer, "\(text)")
        #expect(error?.status == 400)
        #expect(fixture.book.isEmpty)
    }

    @Test(arguments: Scenario.all.map(\.name)) func `each scenario's faults can be set`(name: String) throws {
        let fixture = FaultFixture()
        let scenario = try #require(Scenario.all.first { $0.name == name })
        for text in scenario.faults {
            _ = try fixture.book.add(FaultFixture.json(text), of: name, at: fixture.now, seed: 1)
        }
        #expect(fixture.book.faults.map(\.scenario) == scenario.faults.map { _ in name })
    }

    @Test func `there are at most a thousand faults`() throws {
        let fixture = FaultFixture()
        for _ in 0..<1000 { try fixture.fault("{\(FaultFixture.refusal)}") }
        let error = #expect(throws: ControlProblem.self) { try fixture.fault("{\(FaultFixture.refusal)}") }
        #expect(error == FaultBook.full)
        #expect(error?.status == 409)
    }
}

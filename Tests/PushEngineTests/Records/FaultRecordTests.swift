import PushCore
import Testing

@testable import Faults
@testable import PushEngine

/// Faults, saved and restored: they go on as if nothing had happened.
@Suite struct FaultRecordTests {
    /// The tokens of twelve pushes.
    private static let tokens = ["a1", "b2", "a1", "a1", "b2", "c3", "a1", "b2", "a1", "c3", "b2", "a1"]
        .map { String(repeating: $0, count: 32) }

    private static let conditions = [
        #""nth":5"#, #""every":3"#, #""after":6"#, #""times":2"#, #""every":2,"times":3"#, #""probability":0.5"#,
        #""probability":0.5,"seed":3"#, #""nth":3,"per":"token""#, #""after":1,"per":"token","times":4"#,
    ]

    private static func hits(_ condition: String, restartsAfter restart: Int?) throws -> [String?] {
        var (saved, fixture) = (SavedRecords(), EngineFixture.saving())
        try fixture.fault(#"{\#(EngineFixture.refusal),\#(condition)}"#)
        return try tokens.enumerated().map { index, token in
            if index == restart { fixture = try saved.restart(fixture) }
            return fixture.push(token).fault
        }
    }

    @Test(arguments: conditions) func `a fault hits the same requests, whether or not the gateway is restarted`(
        condition: String
    ) throws {
        let expected = try Self.hits(condition, restartsAfter: nil)
        #expect(expected.contains("f1") && expected.contains(nil))
        for restart in 0..<Self.tokens.count {
            #expect(try Self.hits(condition, restartsAfter: restart) == expected, "restarted after \(restart)")
        }
    }

    @Test func `a fault's end and counters are those from before`() throws {
        var (saved, fixture) = (SavedRecords(), EngineFixture.saving())
        try fixture.fault(#"{\#(EngineFixture.refusal),"for":"10s"}"#)
        fixture.advance(9000)
        #expect(fixture.push().fault == "f1")
        fixture = try saved.restart(fixture)
        let fault = try #require(fixture.engine.faults.faults.first)
        #expect((fault.seen, fault.fired) == (1, 1))
        fixture.advance(1000)
        #expect(fixture.push().fault == "f1")
        fixture.advance(1)
        #expect(fixture.push().fault == nil)
    }

    @Test func `faults keep their order, and removed ones leave nothing behind`() throws {
        var (saved, fixture) = (SavedRecords(), EngineFixture.saving())
        for _ in 0..<11 { try fixture.fault(#"{\#(EngineFixture.refusal),"nth":99,"per":"token"}"#) }
        fixture.push()
        fixture = try saved.restart(fixture)
        #expect(fixture.engine.faults.faults.map(\.id) == (1...11).map { "f\($0)" })
        #expect(saved.keys(.faultCount).count == 11)
        _ = fixture.engine.faults.remove("f11")
        fixture.engine.faults.removeAll { $0.id != "f2" }
        fixture = try saved.restart(fixture)
        #expect(fixture.engine.faults.faults.map(\.id) == ["f2"])
        #expect(saved.keys(.faultCount) == ["f2 \(EngineFixture.token)"])
        // A number is never used again.
        #expect(try fixture.fault(#"{\#(EngineFixture.refusal)}"#) == "f12")
        fixture.engine.faults.removeAll()
        saved.save(fixture)
        #expect(saved.rows.isEmpty)
    }

    @Test func `when a fault forgets its counts, they are deleted from the disk`() throws {
        var (saved, fixture) = (SavedRecords(), EngineFixture.saving())
        try fixture.fault(#"{\#(EngineFixture.refusal),"nth":2,"per":"token"}"#)
        let fault = try #require(fixture.engine.faults.faults.first)
        for number in 0..<10_000 { fault.countsByToken["\(number)"] = 1 }
        fixture.push()
        saved.save(fixture)
        #expect(saved.keys(.faultCount) == ["f1 \(EngineFixture.token)"])
    }

    @Test func `a scenario's faults still belong to it`() throws {
        var (saved, fixture) = (SavedRecords(), EngineFixture.saving())
        let json = EngineFixture.json(#"{\#(EngineFixture.refusal)}"#)
        _ = try fixture.engine.faults.add(json, of: "apns-shutdown", at: fixture.now, seed: 1)
        fixture = try saved.restart(fixture)
        #expect(fixture.engine.faults.faults.map(\.scenario) == ["apns-shutdown"])
    }
}

import PushCore
import Testing

@testable import PushEngine

/// What a restart does to the pushes in the log: which ones it keeps, and by which ids they are known.
@Suite struct RestoredPushTests {
    @Test func `a restart keeps accepted pushes, and a fifth for refused ones`() throws {
        let before = EngineFixture { $0.logCapacity = 50 }
        before.make("i")
        for _ in 0..<5 { before.push(to: "i") }
        for _ in 0..<100 { before.push("abc") }
        for count in [50, 20] {
            let after = try RestoreTests.restored(before) { $0.logCapacity = count }
            let lines = after.engine.events.events(after: 0).filter { $0.kind == .refused }
            #expect(lines.map { $0.push?.number } == Array(UInt64(106 - count / 5)...105))
            #expect(after.logged("p1") != nil || count == 20)
            #expect(after.logged("p5") != nil && after.logged("p105") != nil && after.logged("p50") == nil)
            for _ in 0..<100 { after.push("abc") }
            #expect(after.logged("p5") != nil && after.logged("p106") == nil && after.logged("p205") != nil)
        }
    }

    @Test func `what an older version saved in one part is divided`() throws {
        let before = EngineFixture { $0.logCapacity = 1000 }
        for number in 0..<50 { if number < 5 { before.push() } else { before.push("abc") } }
        var snapshot = RestoreTests.snapshot(before)
        // The older version saved both parts in the order of the numbers; here the refused ones are the later ones.
        (snapshot.events, snapshot.refused) = (snapshot.events + snapshot.refused, [])
        let after = EngineFixture { $0.logCapacity = 50 }
        try after.engine.restore(snapshot)
        #expect(after.engine.events.pushCount == 15)
        #expect(after.logged("p1") != nil && after.logged("p50") != nil && after.logged("p40") == nil)
    }

    @Test func `accepted pushes among the refused ones are damage`() {
        var snapshot = RestoreTests.snapshot(RestoreTests.fixture())
        (snapshot.events, snapshot.refused) = ([], snapshot.events)
        #expect(throws: EngineSnapshot.Damage.self) { try EngineFixture().engine.restore(snapshot) }
    }

    @Test func `a push has the ids of its answer after a restart too`() throws {
        let before = EngineFixture()
        before.push(isSandbox: true)
        before.push("abc", isSandbox: true)
        before.message(#""token":"\#(EngineFixture.fcmToken)","notification":{"title":"x"}"#)
        let after = try RestoreTests.restored(before)
        for push in ["p1", "p2", "p3"] {
            let messages = [before.engine.message(named: push), after.engine.message(named: push)]
            let ids = try messages.map { try #require($0).ids }
            #expect(ids[0].apnsID == ids[1].apnsID && (ids[0].apnsID == nil) == (push == "p3"))
            #expect(ids[0].apnsUniqueID == ids[1].apnsUniqueID && (ids[0].apnsUniqueID == nil) == (push == "p3"))
            #expect(ids[0].name == ids[1].name && (ids[0].name == nil) == (push != "p3"))
        }
    }
}

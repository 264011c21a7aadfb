import PushCore
import PushEngine
import Testing

@testable import Gateway

/// Things to be done later, by the gateway's clock.
@Suite struct ScheduleTests {
    private let gone = ConnectionID(slot: 1, generation: 0)
    private let here = ConnectionID(slot: 2, generation: 0)

    private func at(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds) }

    @Test func `entries come out in the order of their times, and equal times in the order of adding`() {
        var schedule = Schedule()
        var found: [String] = []
        for (due, name) in [(30, "c"), (10, "a"), (20, "b"), (10, "a2"), (40, "d"), (20, "b2")] {
            schedule.add(at: at(Int64(due)), on: nil, isOpen: { _ in true }) { found.append(name) }
        }
        #expect(schedule.next == at(10))
        #expect(schedule.takeDue(at: at(9)).isEmpty)
        for body in schedule.takeDue(at: at(20)) { body() }
        #expect(found == ["a", "a2", "b", "b2"])
        #expect(schedule.next == at(30))
        for body in schedule.takeDue(at: at(1000)) { body() }
        #expect(found == ["a", "a2", "b", "b2", "c", "d"])
        #expect(schedule.next == nil)
    }

    @Test func `entries of closed connections are removed when there are too many`() {
        var schedule = Schedule()
        for _ in 0..<9_999 { schedule.add(at: at(1), on: gone, isOpen: { _ in true }) {} }
        schedule.add(at: at(2), on: nil, isOpen: { _ in true }) {}
        // The next one finds ten thousand: those of the connection that has closed meanwhile go.
        schedule.add(at: at(3), on: here, isOpen: { $0 == here }) {}
        #expect(schedule.next == at(2))
        #expect(schedule.takeDue(at: at(100)).count == 2)
    }

    @Test func `entries of open connections stay, and are not checked again immediately`() {
        var schedule = Schedule()
        for _ in 0..<10_000 { schedule.add(at: at(1), on: here, isOpen: { _ in true }) {} }
        var looks = 0
        for _ in 0..<10_000 {
            schedule.add(
                at: at(1), on: here,
                isOpen: { _ in
                    looks += 1
                    return true
                }
            ) {}
        }
        #expect(looks == 10_000, "only the first addition looked")
        #expect(schedule.takeDue(at: at(1)).count == 20_000)
    }
}

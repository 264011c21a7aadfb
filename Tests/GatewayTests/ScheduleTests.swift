import PushCore
import PushEngine
import TestSupport
import Testing

@testable import Gateway

/// Things to be done later, by the gateway's clock.
@Suite struct ScheduleTests {
    private let gone = Schedule.Owner(connection: ConnectionID(slot: 1, generation: 0))
    private let here = Schedule.Owner(connection: ConnectionID(slot: 2, generation: 0))

    private func at(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds) }

    /// Runs what is due, and counts it.
    @discardableResult private func run(_ schedule: inout Schedule, at now: Int64) -> Int {
        var count = 0
        while let body = schedule.takeDue(at: at(now)) {
            body()
            count += 1
        }
        return count
    }

    @Test func `entries come out in the order of their times, and equal times in the order of adding`() {
        var schedule = Schedule()
        var found: [String] = []
        for (due, name) in [(30, "c"), (10, "a"), (20, "b"), (10, "a2"), (40, "d"), (20, "b2")] {
            schedule.add(at: at(Int64(due)), for: nil, isOpen: { _ in true }) { found.append(name) }
        }
        #expect(schedule.next == at(10))
        #expect(schedule.takeDue(at: at(9)) == nil)
        run(&schedule, at: 20)
        #expect(found == ["a", "a2", "b", "b2"])
        #expect(schedule.next == at(30))
        run(&schedule, at: 1000)
        #expect(found == ["a", "a2", "b", "b2", "c", "d"])
        #expect(schedule.next == nil)
    }

    @Test func `many entries with random times, also after a removal, come out in order`() {
        var random = SeededGenerator(seed: 11)
        var schedule = Schedule()
        var (expected, found): ([[Int64]], [[Int64]]) = ([], [])
        for number in 0..<15_000 as Range<Int64> {
            let due = Int64.random(in: 0..<500, using: &random)
            let isGone = number < 10_000 && number % 3 == 0
            if !isGone { expected.append([due, number]) }
            schedule.add(at: at(due), for: isGone ? gone : here, isOpen: { $0.connection == here.connection }) {
                found.append([due, number])
            }
        }
        for now in 0..<500 as Range<Int64> { run(&schedule, at: now) }
        let isInOrder = found == expected.sorted { ($0[0], $0[1]) < ($1[0], $1[1]) }
        #expect(isInOrder)
    }

    @Test func `entries of closed connections are removed when there are too many`() {
        var schedule = Schedule()
        for _ in 0..<9_999 { schedule.add(at: at(1), for: gone, isOpen: { _ in true }) {} }
        schedule.add(at: at(2), for: nil, isOpen: { _ in true }) {}
        // The next one finds ten thousand: those of the connection that has closed meanwhile go.
        schedule.add(at: at(3), for: here, isOpen: { $0.connection == here.connection }) {}
        #expect(schedule.next == at(2))
        #expect(run(&schedule, at: 100) == 2)
    }

    @Test func `entries of open connections stay, and are not checked again immediately`() {
        var schedule = Schedule()
        for _ in 0..<10_000 { schedule.add(at: at(1), for: here, isOpen: { _ in true }) {} }
        var looks = 0
        for _ in 0..<10_000 {
            schedule.add(
                at: at(1), for: here,
                isOpen: { _ in
                    looks += 1
                    return true
                }
            ) {}
        }
        #expect(looks == 10_000, "only the first addition looked")
        #expect(run(&schedule, at: 1) == 20_000)
    }

    @Test func `it is full with 100,000 actions for connections, and others do not count`() {
        var schedule = Schedule()
        schedule.add(at: at(1), for: nil, isOpen: { _ in true }) {}
        for _ in 0..<99_999 { schedule.add(at: at(2), for: here, isOpen: { _ in true }) {} }
        #expect(!schedule.isFull)
        schedule.add(at: at(2), for: here, isOpen: { _ in true }) {}
        #expect(schedule.isFull)
        _ = schedule.takeDue(at: at(1))
        #expect(schedule.isFull)
        _ = schedule.takeDue(at: at(2))
        #expect(!schedule.isFull)
    }
}

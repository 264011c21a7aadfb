import PushCore
import Synchronization
import Testing

@testable import Gateway

@Suite struct ClockTests {
    /// The time of a system, which the test sets.
    private final class SystemTime: Sendable {
        let milliseconds = Atomic<Int64>(1_000_000)
        func read() -> Int64 { milliseconds.load(ordering: .relaxed) }
        func pass(_ duration: Int64) { milliseconds.add(duration, ordering: .relaxed) }
    }

    @Test func `a manual clock moves only when it is moved`() {
        var clock = Clock.manual(at: Timestamp(milliseconds: 1000))
        clock.tick()
        #expect(clock.now.milliseconds == 1000)
        clock.advance(by: 500)
        clock.tick()
        #expect(clock.now.milliseconds == 1500)
        #expect(clock.systemTime.milliseconds == 1000)
        clock.set(to: Timestamp(milliseconds: 200))
        #expect(clock.now.milliseconds == 200)
        #expect(clock.systemTime.milliseconds == 1000)
        #expect(clock.isFrozen)
    }

    @Test func `the time of the system goes on while the clock is frozen`() {
        let system = SystemTime()
        var clock = Clock { system.read() }
        clock.advance(by: 500)
        clock.freeze()
        system.pass(600_000)
        clock.tick()
        #expect(clock.now.milliseconds == 1_000_500)
        #expect(clock.systemTime.milliseconds == 1_600_000)
    }

    @Test func `a clock that was frozen goes on from its time, not from the system's`() {
        let system = SystemTime()
        var clock = Clock { system.read() }
        clock.freeze()
        system.pass(600_000)
        clock.resume()
        system.pass(7)
        clock.tick()
        #expect(!clock.isFrozen)
        #expect(clock.now.milliseconds == 1_000_007)
        #expect(clock.systemTime.milliseconds == 1_600_007)
    }

    @Test func `a clock at the end of its range is restored although time has passed`() throws {
        let system = SystemTime()
        var clock = Clock { system.read() }
        clock.set(to: Timestamp.range.upperBound)
        let setting = try #require(clock.setting)
        system.pass(600_000)
        var restored = Clock { system.read() }
        let isRestored = restored.restore(setting)
        #expect(isRestored)
        #expect(restored.now == Timestamp.range.upperBound + 600_000)
    }

    @Test func `a moved clock that is not frozen keeps its distance from the system's time`() {
        let system = SystemTime()
        var clock = Clock { system.read() }
        clock.advance(by: -500)
        system.pass(40)
        clock.tick()
        #expect(clock.now.milliseconds == 999_540)
        #expect(clock.systemTime.milliseconds == 1_000_040)
    }
}

import PushCore

@testable import PushEngine

/// Time, and what comes of it.
extension EngineFixture {
    /// Moves the clock, and does what becomes due on the way.
    func advance(_ milliseconds: Int64) {
        let end = now + milliseconds
        collectTimers()
        while let index = timers.indices.min(by: { timers[$0].due < timers[$1].due }), timers[index].due <= end {
            let timer = timers.remove(at: index)
            now = max(now, timer.due)
            switch timer.work {
            case .wake(let device): engine.wake(device, at: now)
            case .latePush(let key): engine.startLatePush(key)
            }
            finish()
        }
        now = end
    }

    /// Brings every message that is under way to its devices.
    func finish() {
        while !engine.pendingWork.fanOuts.isEmpty { engine.continueFanOuts(16, at: now) }
        collectTimers()
    }

    // A value that can't be copied can't be in `#expect`, so these stand for the engine's own.
    var hasWork: Bool { !engine.pendingWork.isEmpty }
    var hasExpectationsToEvaluate: Bool { engine.hasExpectationsToEvaluate() }
    var hasExpectations: Bool { !engine.expectations.isEmpty }

    private func collectTimers() {
        timers += engine.pendingWork.wakes.map { ($0.due, .wake($0.device)) }
        timers += engine.pendingWork.delayedFanOuts.map { ($0.due, .latePush($0.key)) }
        engine.pendingWork.wakes = []
        engine.pendingWork.delayedFanOuts = []
    }
}

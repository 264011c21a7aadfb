import EventLoop
import Glibc
import Testing

/// The time of each callback is part of a turn.
@Suite struct TurnBeginTests {
    /// Runs a loop until `start` has led to a callback, which gets the log.
    private func log(_ start: (EventLoop, @escaping () -> Void) throws -> () -> Void) throws -> [String] {
        let loop = try EventLoop()
        var log: [String] = []
        loop.turnBegan = { log.append("began") }
        loop.turnEnded = { log.append("ended") }
        let close = try start(loop) {
            log.append("callback")
            loop.stop()
        }
        loop.run()
        close()
        #expect(loop.close())
        return log
    }

    private func expectBegun(_ log: [String], at location: SourceLocation = #_sourceLocation) {
        let before = log.prefix { $0 != "callback" }
        #expect(before.count < log.count && before.last == "began", "\(log)", sourceLocation: location)
    }

    @Test func `a turn begins before a timer, an idle part, a message, a signal and the end of work elsewhere`() throws
    {
        try expectBegun(
            log { loop, done in
                let timer = try LoopTimer(on: loop, fired: done)
                timer.start(after: 1)
                return timer.close
            })
        try expectBegun(
            log { loop, done in
                let idle = try LoopIdle(on: loop) {
                    done()
                    return false
                }
                idle.start()
                return idle.close
            })
        try expectBegun(
            log { loop, done in
                let mailbox = try Mailbox<Int>(on: loop) { _ in done() }
                mailbox.send(1)
                return mailbox.close
            })
        try expectBegun(
            log { loop, done in
                let signal = try SignalWatch(.hangUp, on: loop, received: done)
                kill(getpid(), SIGHUP)
                return signal.close
            })
        try expectBegun(
            log { loop, done in
                try loop.offload({ 1 }, then: { _ in done() })
                return {}
            })
    }

    @Test func `a turn begins once for its callbacks`() throws {
        let loop = try EventLoop()
        var log: [String] = []
        loop.turnBegan = { log.append("began") }
        let timers = try (0..<3).map { _ in try LoopTimer(on: loop) { log.append("timer") } }
        for timer in timers { timer.start(after: 0) }
        loop.runOnce()
        #expect(log.prefix(4) == ["began", "timer", "timer", "timer"])
        for timer in timers { timer.close() }
        #expect(loop.close())
    }
}

import EventLoop
import Glibc
import Testing

@Suite struct TimerTests {
    @Test func `timers fire in the order of their delays, and the loop ends after the last`() throws {
        let loop = try EventLoop()
        var fired: [UInt64] = []
        let timers = try ([3, 1, 2, 0] as [UInt64]).map { delay in
            let timer = try LoopTimer(on: loop) { fired.append(delay) }
            timer.start(after: delay)
            return timer
        }
        loop.run()
        #expect(fired == [0, 1, 2, 3])
        for timer in timers { timer.close() }
        #expect(loop.close())
    }

    @Test func `a repeating timer fires until it is stopped`() throws {
        let loop = try EventLoop()
        var count = 0
        var timer: LoopTimer?
        timer = try LoopTimer(on: loop) {
            count += 1
            if count == 3 { timer?.stop() }
        }
        timer?.start(after: 0, every: 1)
        loop.run()
        #expect(count == 3)
        timer?.close()
        #expect(loop.close())
    }

    @Test func `a timer that is started again fires once, at the later time`() throws {
        let loop = try EventLoop()
        var fired: [String] = []
        let timer = try LoopTimer(on: loop) { fired.append("timer") }
        let other = try LoopTimer(on: loop) { fired.append("other") }
        timer.start(after: 0)
        other.start(after: 1)
        timer.start(after: 2)
        loop.run()
        #expect(fired == ["other", "timer"])
        other.close()
        timer.close()
        #expect(loop.close())
    }

    @Test func `a closed timer does not fire and cannot be started`() throws {
        let loop = try EventLoop()
        let timer = try LoopTimer(on: loop) { Issue.record("a closed timer fired") }
        timer.start(after: 0)
        timer.close()
        timer.start(after: 0)
        timer.close()
        loop.run()
        #expect(timer.isClosed)
        #expect(loop.close())
    }

    @Test func `a handle lives as long as it is open, and an open handle keeps the loop from closing`() throws {
        let loop = try EventLoop()
        var timer: LoopTimer? = try LoopTimer(on: loop) {}
        weak let handle = timer
        timer = nil
        #expect(handle != nil)
        #expect(!loop.close())
        handle?.close()
        #expect(loop.close())
        #expect(handle == nil)
    }

    @Test func `stop ends a loop that has more to do`() throws {
        let loop = try EventLoop()
        var count = 0
        var timer: LoopTimer?
        timer = try LoopTimer(on: loop) {
            count += 1
            loop.stop()
            // Only reached if the loop does not stop.
            if count == 10 { timer?.stop() }
        }
        timer?.start(after: 0, every: 1)
        loop.run()
        loop.run()
        #expect(count == 2)
        timer?.close()
        #expect(loop.close())
    }

    @Test func `idle work is done in parts, with other callbacks in between`() throws {
        let loop = try EventLoop()
        var log: [String] = []
        let timer = try LoopTimer(on: loop) { log.append("timer") }
        let idle = try LoopIdle(on: loop) {
            if log.isEmpty { timer.start(after: 0) }
            log.append("part")
            return log.count < 4
        }
        idle.start()
        loop.run()
        #expect(log == ["part", "timer", "part", "part"])
        idle.close()
        timer.close()
        #expect(loop.close())
    }

    @Test func `a signal is received on the loop instead of ending the process`() throws {
        let loop = try EventLoop()
        var received = 0
        let watch = try SignalWatch(.hangUp, on: loop) {
            received += 1
            loop.stop()
        }
        kill(getpid(), SIGHUP)
        loop.run()
        #expect(received == 1)
        watch.close()
        #expect(loop.close())
    }
}

import Testing

@testable import Gateway

/// How a connection ends, as a value: events in, actions out.
@Suite struct ConnectionLifecycleTests {
    @Test func `a new connection reads and writes`() {
        var lifecycle = ConnectionLifecycle()
        #expect(lifecycle.readsInput)
        #expect(lifecycle.writesOutput)
        #expect(!lifecycle.isDead)
        #expect(lifecycle.outputFlushed() == .nothing)
        #expect(lifecycle.outputDrained(pending: 0, at: 5) == .nothing)
        #expect(lifecycle.timePassed(at: 1_000_000, isStalled: true) == nil)
    }

    @Test func `a reset by a fault waits until earlier answers are out`() {
        var lifecycle = ConnectionLifecycle()
        lifecycle.faultDecided(.reset)
        #expect(!lifecycle.readsInput)
        #expect(lifecycle.writesOutput)
        #expect(lifecycle.outputFlushed() == .reset)
        #expect(!lifecycle.writesOutput)
        #expect(lifecycle.outputFlushed() == .nothing)
    }

    @Test func `a black hole neither reads nor writes, and closes only with its peer`() {
        var lifecycle = ConnectionLifecycle()
        lifecycle.faultDecided(.blackHole)
        #expect(lifecycle.outputFlushed() == .nothing)
        #expect(lifecycle.isDead)
        #expect(!lifecycle.readsInput)
        #expect(!lifecycle.writesOutput)
        #expect(lifecycle.timePassed(at: .max, isStalled: true) == .nothing)
        #expect(lifecycle.peerEnded() == .close)
    }

    @Test func `the first fault decides`() {
        var lifecycle = ConnectionLifecycle()
        lifecycle.faultDecided(.blackHole)
        lifecycle.faultDecided(.reset)
        #expect(lifecycle.outputFlushed() == .nothing)
        #expect(lifecycle.isDead)
    }

    @Test func `after our end the peer gets a second to read what is left`() {
        var lifecycle = ConnectionLifecycle()
        #expect(lifecycle.endBegan() == true)
        #expect(lifecycle.endBegan() == false)
        #expect(lifecycle.outputDrained(pending: 10, at: 100) == .nothing)
        #expect(lifecycle.timePassed(at: 5000, isStalled: false) == .nothing)
        #expect(lifecycle.timePassed(at: 5000, isStalled: true) == .reset)
        #expect(lifecycle.outputDrained(pending: 0, at: 200) == .nothing)
        #expect(lifecycle.timePassed(at: 1200, isStalled: false) == .nothing)
        #expect(lifecycle.timePassed(at: 1201, isStalled: false) == .close)
    }

    @Test func `the connection closes immediately when both sides have ended and all output is sent`() {
        var lifecycle = ConnectionLifecycle()
        #expect(lifecycle.peerEnded() == .nothing)
        #expect(lifecycle.endBegan() == true)
        #expect(lifecycle.outputDrained(pending: 3, at: 1) == .nothing)
        #expect(lifecycle.outputDrained(pending: 0, at: 2) == .close)
    }

    @Test func `the connection closes when the peer ends its side during the linger time`() {
        var lifecycle = ConnectionLifecycle()
        _ = lifecycle.endBegan()
        #expect(lifecycle.outputDrained(pending: 0, at: 1) == .nothing)
        #expect(lifecycle.peerEnded() == .nothing)
        #expect(lifecycle.outputDrained(pending: 0, at: 2) == .close)
    }

    @Test func `a connection is closed only once`() {
        var lifecycle = ConnectionLifecycle()
        #expect(lifecycle.closed() == true)
        #expect(lifecycle.closed() == false)
        #expect(lifecycle.endBegan() == false)
        #expect(!lifecycle.readsInput)
        #expect(lifecycle.timePassed(at: 1, isStalled: true) == .nothing)
    }
}

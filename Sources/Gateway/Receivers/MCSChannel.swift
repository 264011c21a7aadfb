internal import HTTPCore
internal import Platform
internal import PushCore
internal import PushEngine
internal import Receivers

/// A client that takes its pushes over MCS, such as a browser.
final class MCSChannel: Channel {
    private unowned let connection: Connection
    private var session = MCSSession()
    private(set) var isFinished = false
    /// Bytes that are reserved from the gateway's budget for a frame that is not complete.
    private var reservedBytes = 0

    /// Milliseconds until the client must have logged in.
    private static let loginTimeout: UInt64 = 10_000
    /// Milliseconds of silence after which a client is considered gone. Clients send a heartbeat after 28 minutes at most.
    private static let idleLimit: UInt64 = 1_800_000
    /// The number of frames between two looks at the time.
    private static let framesBetweenChecks = 16

    init(_ connection: Connection) { self.connection = connection }

    func receive(_ bytes: Span<UInt8>) -> Int {
        session.append(bytes)
        continueInput()
        if !reserve(session.unfinishedBytes) { isFinished = true }
        return bytes.count
    }

    /// Reserves this many bytes in place of the previous reservation. Returns false if there is no room.
    private func reserve(_ count: Int) -> Bool {
        let budget = connection.gateway.bodyBudget
        guard budget.take(max(0, count - reservedBytes)) else { return false }
        budget.giveBack(max(0, reservedBytes - count))
        reservedBytes = count
        return true
    }

    private(set) var hasEvents = false
    var isFull: Bool { session.isFull }

    private func continueInput() {
        let gateway = connection.gateway
        defer { gateway.noteReceiverNews() }
        hasEvents = false
        var frames = 0
        do throws(MCSProblem) {
            while !isFinished {
                // The next frames wait until this one's answers are sent, or for the next turn.
                hasEvents =
                    isFull || frames.isMultiple(of: Self.framesBetweenChecks) && frames > 0 && gateway.turn.isOver
                if hasEvents { return }
                guard
                    try session.handleNext(
                        &gateway.box.engine.realReceivers.google, connection.id, at: gateway.clock.now)
                else { return }
                frames += 1
            }
        } catch {
            gateway.log(.info, "receiver closed", at: gateway.clock.now, ["because": error.sentence])
            isFinished = true
        }
    }

    func drain(into output: inout [UInt8], upTo limit: Int) {
        let gateway = connection.gateway
        session.drain(into: &output, upTo: limit - output.count)
        while output.count < limit,
            session.deliver(from: &gateway.box.engine.realReceivers.google, connection.id, at: gateway.clock.now)
        {
            session.drain(into: &output, upTo: limit - output.count)
        }
        gateway.noteDelivered()
    }

    func peerEnded() -> PeerEndReaction { .close }

    func sweep(at now: UInt64, idle: UInt64) -> SweepReaction {
        if session.client == nil { return now - min(now, connection.opened) > Self.loginTimeout ? .close : .nothing }
        if idle > Self.idleLimit { return .close }
        return session.sendHeartbeat(at: now, idle: idle) ? .flush : .nothing
    }

    func endForAbuse(_ reason: String) { isFinished = true }
    func shutDown() {
        session.close()
        isFinished = true
    }

    func detach() {
        _ = reserve(0)
        guard let client = session.client else { return }
        connection.gateway.box.engine.realReceivers.google.disconnect(client, connection.id)
        connection.gateway.noteReceiverNews()
    }
}

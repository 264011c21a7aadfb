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
    /// Milliseconds of silence after which a client has gone. Clients send a heartbeat after 28 minutes at most.
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

    private func continueInput() {
        let gateway = connection.gateway
        defer { gateway.noteReceiverNews() }
        hasEvents = false
        var frames = 0
        do throws(MCSProblem) {
            while !isFinished, try session.handleNext(&gateway.receivers, connection.id, at: gateway.clock.now) {
                frames += 1
                guard frames.isMultiple(of: Self.framesBetweenChecks), gateway.turn.isOver else { continue }
                hasEvents = true
                return
            }
        } catch {
            gateway.log(.info, "receiver closed", at: gateway.clock.now, ["because": error.sentence])
            isFinished = true
        }
    }

    /// Writes the pushes that have come for the client.
    func deliver() { session.deliver(from: &connection.gateway.receivers, at: connection.gateway.clock.now) }

    func drain(into output: inout [UInt8], upTo limit: Int) {
        output += session.output
        session.output = []
    }

    func peerEnded() -> PeerEndReaction { .close }

    func sweep(at now: UInt64, idle: UInt64) -> SweepReaction {
        if session.client == nil { return now - min(now, connection.opened) > Self.loginTimeout ? .close : .nothing }
        return idle > Self.idleLimit ? .close : .nothing
    }

    func endForAbuse(_ reason: String) { isFinished = true }
    func shutDown() { isFinished = true }

    func detach() {
        _ = reserve(0)
        guard let client = session.client else { return }
        connection.gateway.receivers.disconnect(client, connection.id)
        connection.gateway.noteReceiverNews()
    }
}

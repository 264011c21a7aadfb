internal import PushCore

/// The pushes that a receiver has not acknowledged, oldest first.
struct PushQueue {
    private(set) var pushes: [WaitingPush] = []

    /// The most pushes that wait for one receiver.
    static let most = 100
    /// The most pushes that were sent to it, and that it has not acknowledged. Some receivers never acknowledge.
    static let mostSent = 1000

    /// What happens if one push more has to wait.
    enum Overflow {
        /// All are dropped, as for Android (docs/evidence/fcm.md, documented; assumed for browsers).
        case dropsAll
        /// The oldest is dropped (assumed).
        case dropsOldest
    }

    var isEmpty: Bool { pushes.isEmpty }

    /// Adds a push, unless it may not wait. What becomes of other pushes is noted in the log.
    ///
    /// - Returns: the tokens of the pushes that were dropped because there are too many.
    mutating func add(
        _ push: WaitingPush, isConnected: Bool, _ overflow: Overflow, of owner: String, _ log: inout ReceiverLog
    ) -> [String] {
        if push.lifetime == 0, !isConnected {
            log.note(push, .dropped(.notConnected), of: owner)
            return []
        }
        if let topic = push.topic {
            take(of: owner, .replaced(by: push.push), &log) {
                $0.topic == topic && $0.token == push.token && !$0.isSent
            }
        }
        take(of: owner, .dropped(.expired), &log) { !$0.isSent && $0.expires < push.sent }
        let waiting = pushes.reduce(0) { $0 + ($1.isSent ? 0 : 1) }
        let dropped = waiting < Self.most ? [] : makeRoom(overflow, of: owner, &log)
        // The oldest that was sent has arrived, as far as is known: it is forgotten without a word.
        if pushes.count - waiting >= Self.mostSent, let index = pushes.firstIndex(where: \.isSent) {
            forget(at: index, of: owner, &log)
        }
        if !isConnected { log.note(push, .stored, of: owner) }
        pushes.append(push)
        log.waitingBytes += push.size
        log.note(change: push, of: owner)
        return dropped
    }

    private mutating func makeRoom(_ overflow: Overflow, of owner: String, _ log: inout ReceiverLog) -> [String] {
        let oldest = pushes.first { !$0.isSent }?.id
        let dropped = pushes.filter { !$0.isSent && (overflow == .dropsAll || $0.id == oldest) }
        take(of: owner, .dropped(.tooMany), &log) { push in
            !push.isSent && (overflow == .dropsAll || push.id == oldest)
        }
        return dropped.map(\.token)
    }

    private mutating func forget(at index: Int, of owner: String, _ log: inout ReceiverLog) {
        let push = pushes.remove(at: index)
        log.waitingBytes -= push.size
        log.note(change: push, of: owner)
    }

    /// The subscription has ended: what waits is dropped. What was sent has arrived, as far as is known.
    mutating func end(_ token: String, of owner: String, _ log: inout ReceiverLog) {
        take(of: owner, .dropped(.unsubscribed), &log) { $0.token == token && !$0.isSent }
        while let index = pushes.firstIndex(where: { $0.token == token }) { forget(at: index, of: owner, &log) }
    }

    /// The next push that was not sent over the current connection; nil if all were sent.
    ///
    /// - Parameter frame: the number of the frame that will have it.
    mutating func next(as frame: UInt64, of owner: String, at now: Timestamp, _ log: inout ReceiverLog)
        -> WaitingPush?
    {
        take(of: owner, .dropped(.expired), &log) { !$0.isSent && $0.expires < now }
        guard let index = pushes.firstIndex(where: { !$0.isSent }) else { return nil }
        pushes[index].frame = frame
        log.note(pushes[index], .delivered, of: owner)
        return pushes[index]
    }

    /// The connection is new: what was sent over an earlier one, and not acknowledged, is sent again.
    mutating func startAgain() {
        for index in pushes.indices { pushes[index].frame = nil }
    }

    /// Removes pushes, and notes why.
    mutating func take(
        of owner: String, _ fate: PushFate, _ log: inout ReceiverLog, where isTaken: (WaitingPush) -> Bool
    ) {
        guard pushes.contains(where: isTaken) else { return }
        for push in pushes where isTaken(push) {
            log.waitingBytes -= push.size
            log.note(push, fate, of: owner)
        }
        pushes.removeAll(where: isTaken)
    }

    mutating func restore(_ push: WaitingPush, _ log: inout ReceiverLog) {
        pushes.append(push)
        log.waitingBytes += push.size
    }

    func push(withID id: String) -> WaitingPush? { pushes.first { $0.id == id } }
}

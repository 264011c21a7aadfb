internal import PushCore

/// The pushes that a receiver has not acknowledged, oldest first.
struct PushQueue {
    private(set) var pushes: [WaitingPush] = []
    /// All pushes before this one were sent over the current connection.
    private var firstUnsent = 0

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
        dropExpired(of: owner, at: push.sent, &log)
        let waiting = pushes.count { !$0.wasSent }
        let dropped = waiting < Self.most ? [] : makeRoom(overflow, of: owner, &log)
        if pushes.count - waiting >= Self.mostSent, let oldest = pushes.first(where: \.wasSent)?.id {
            forget(of: owner, &log) { $0.id == oldest }
        }
        if !isConnected { log.note(push, .stored, of: owner) }
        pushes.append(push)
        log.waitingBytes += push.size
        log.note(change: push, of: owner)
        return dropped
    }

    private mutating func makeRoom(_ overflow: Overflow, of owner: String, _ log: inout ReceiverLog) -> [String] {
        let oldest = pushes.first { !$0.wasSent }?.id
        func isDropped(_ push: WaitingPush) -> Bool {
            !push.wasSent && (overflow == .dropsAll || push.id == oldest)
        }
        let dropped = pushes.filter(isDropped)
        take(of: owner, .dropped(.tooMany), &log, where: isDropped)
        return dropped.map(\.token)
    }

    /// Removes pushes that were sent without a word: as far as is known, they have arrived.
    private mutating func forget(of owner: String, _ log: inout ReceiverLog, where isForgotten: (WaitingPush) -> Bool) {
        guard pushes.contains(where: isForgotten) else { return }
        for push in pushes where isForgotten(push) {
            log.waitingBytes -= push.size
            log.note(endOf: push, of: owner)
        }
        remove(where: isForgotten)
    }

    private mutating func remove(where isRemoved: (WaitingPush) -> Bool) {
        pushes.removeAll(where: isRemoved)
        firstUnsent = 0
    }

    /// Forgets what was sent and not acknowledged, to make room for other pushes.
    mutating func forgetSent(of owner: String, _ log: inout ReceiverLog) {
        forget(of: owner, &log) { $0.wasSent }
    }

    /// Drops what has waited too long, and forgets what would be sent again although its time is over. What was sent over
    /// the current connection stays, because it may still be acknowledged.
    mutating func dropExpired(of owner: String, at now: Timestamp, _ log: inout ReceiverLog) {
        take(of: owner, .dropped(.expired), &log) { !$0.wasSent && $0.expires < now }
        forget(of: owner, &log) { $0.wasSent && !$0.isSent && $0.expires < now }
    }

    /// When the first of the subscription's pushes that wait has waited too long.
    func nextExpiry(_ token: String) -> Timestamp? {
        pushes.lazy.filter { !$0.wasSent && $0.token == token }.map { $0.expires + 1 }.min()
    }

    /// The subscription has ended: what waits is dropped. What was sent has arrived, as far as is known.
    mutating func end(_ token: String, of owner: String, _ log: inout ReceiverLog) {
        take(of: owner, .dropped(.unsubscribed), &log) { $0.token == token && !$0.wasSent }
        forget(of: owner, &log) { $0.token == token }
    }

    /// The next push that was not sent over the current connection; nil if all were sent.
    ///
    /// - Parameter frame: the number of the frame that will have it.
    mutating func next(as frame: UInt64, of owner: String, at now: Timestamp, _ log: inout ReceiverLog)
        -> WaitingPush?
    {
        while firstUnsent < pushes.count, pushes[firstUnsent].isSent { firstUnsent += 1 }
        if firstUnsent < pushes.count, pushes[firstUnsent].expires < now {
            dropExpired(of: owner, at: now, &log)
            return next(as: frame, of: owner, at: now, &log)
        }
        guard firstUnsent < pushes.count else { return nil }
        if !pushes[firstUnsent].wasSent { log.note(change: pushes[firstUnsent], of: owner) }
        pushes[firstUnsent].frame = frame
        log.note(pushes[firstUnsent], .delivered, of: owner)
        return pushes[firstUnsent]
    }

    /// The connection is new: what was sent over an earlier one, and not acknowledged, is sent again.
    mutating func startAgain() {
        for index in pushes.indices { pushes[index].frame = nil }
        firstUnsent = 0
    }

    /// Removes the pushes that a client acknowledges, each with the code that the client gives.
    mutating func acknowledge(_ codes: [String: Int64?], of owner: String, _ log: inout ReceiverLog) -> [WaitingPush] {
        let acknowledged = pushes.filter { codes[$0.id] != nil }
        for push in acknowledged {
            log.waitingBytes -= push.size
            log.note(push, .acknowledged(code: codes[push.id] ?? nil), of: owner)
        }
        if !acknowledged.isEmpty { remove { codes[$0.id] != nil } }
        return acknowledged
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
        remove(where: isTaken)
    }

    mutating func restore(_ push: WaitingPush, _ log: inout ReceiverLog) {
        pushes.append(push)
        log.waitingBytes += push.size
    }

    func push(withID id: String) -> WaitingPush? { pushes.first { $0.id == id } }
}

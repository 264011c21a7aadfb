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
        _ push: WaitingPush, isConnected: Bool, _ overflow: Overflow, owner: String, _ log: inout ReceiverLog
    ) -> [String] {
        if push.lifetime == 0, !isConnected {
            log.note(push, .dropped(.notConnected), of: owner)
            return []
        }
        if let topic = push.topic {
            take(owner: owner, .replaced(by: push.push), &log) {
                $0.topic == topic && $0.token == push.token && !$0.isSentOnThisConnection
            }
        }
        dropExpired(owner: owner, at: push.sent, &log)
        let waiting = pushes.count { !$0.wasEverSent }
        let dropped = waiting < Self.most ? [] : makeRoom(overflow, owner: owner, &log)
        if pushes.count - waiting >= Self.mostSent, let oldest = pushes.first(where: \.wasEverSent)?.id {
            forget(owner: owner, &log) { $0.id == oldest }
        }
        if !isConnected { log.note(push, .stored, of: owner) }
        pushes.append(push)
        log.waitingBytes += push.size
        log.note(change: push, of: owner)
        return dropped
    }

    private mutating func makeRoom(_ overflow: Overflow, owner: String, _ log: inout ReceiverLog) -> [String] {
        let oldest = pushes.first { !$0.wasEverSent }?.id
        func isDropped(_ push: WaitingPush) -> Bool {
            !push.wasEverSent && (overflow == .dropsAll || push.id == oldest)
        }
        let dropped = pushes.filter(isDropped)
        take(owner: owner, .dropped(.tooMany), &log, where: isDropped)
        return dropped.map(\.token)
    }

    /// Removes sent pushes without noting a fate: as far as is known, they have arrived.
    private mutating func forget(owner: String, _ log: inout ReceiverLog, where isForgotten: (WaitingPush) -> Bool) {
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
    mutating func forgetSent(owner: String, _ log: inout ReceiverLog) {
        forget(owner: owner, &log) { $0.wasEverSent }
    }

    /// Drops what has waited too long, and forgets expired pushes that would otherwise be sent again. What was sent
    /// over the current connection stays, because it may still be acknowledged.
    mutating func dropExpired(owner: String, at now: Timestamp, _ log: inout ReceiverLog) {
        take(owner: owner, .dropped(.expired), &log) { !$0.wasEverSent && $0.expires < now }
        forget(owner: owner, &log) { $0.wasEverSent && !$0.isSentOnThisConnection && $0.expires < now }
    }

    /// When the first of the subscription's pushes that wait has waited too long.
    func nextExpiry(_ token: String) -> Timestamp? {
        pushes.lazy.filter { !$0.wasEverSent && $0.token == token }.map { $0.expires + 1 }.min()
    }

    /// The subscription has ended: what waits is dropped. What was sent has arrived, as far as is known.
    mutating func end(_ token: String, owner: String, _ log: inout ReceiverLog) {
        take(owner: owner, .dropped(.unsubscribed), &log) { $0.token == token && !$0.wasEverSent }
        forget(owner: owner, &log) { $0.token == token }
    }

    /// The next push that was not sent over the current connection; nil if all were sent.
    ///
    /// - Parameter frame: the number of the frame that will have it.
    mutating func next(inFrame frame: UInt64, owner: String, at now: Timestamp, _ log: inout ReceiverLog)
        -> WaitingPush?
    {
        while firstUnsent < pushes.count, pushes[firstUnsent].isSentOnThisConnection { firstUnsent += 1 }
        if firstUnsent < pushes.count, pushes[firstUnsent].expires < now {
            dropExpired(owner: owner, at: now, &log)
            return next(inFrame: frame, owner: owner, at: now, &log)
        }
        guard firstUnsent < pushes.count else { return nil }
        if !pushes[firstUnsent].wasEverSent { log.note(change: pushes[firstUnsent], of: owner) }
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
    mutating func acknowledge(_ codes: [String: Int64?], owner: String, _ log: inout ReceiverLog) -> [WaitingPush] {
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
        owner: String, _ fate: PushFate, _ log: inout ReceiverLog, where isTaken: (WaitingPush) -> Bool
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

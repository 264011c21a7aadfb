internal import PushCore

/// Pushes for clients of Mozilla's service.
extension AutopushBook {
    /// Adds a push, and returns its id.
    mutating func add(_ push: WaitingPush) -> String {
        var push = push
        push.id = hexadecimal(32)
        guard let client = subscriptions[push.token]?.client, clients[client] != nil else { return push.id }
        let session = clients[client]?.session
        _ = clients[client]?.queue.add(push, isConnected: session != nil, .dropsOldest, owner: client, &log)
        if clients[client]?.queue.push(withID: push.id) != nil { receivers[push.id] = client }
        if let session { log.woken.append(session) }
        return push.id
    }

    mutating func restore(_ push: WaitingPush, for client: String) {
        clients[client]?.queue.restore(push, &log)
        receivers[push.id] = client
        if push.wasEverSent { unacknowledged.insert(client) }
    }

    /// The next push for a client; nil if no more can be sent now.
    mutating func nextMessage(for id: String, at now: Timestamp) -> (push: WaitingPush, channel: String)? {
        while let push = clients[id]?.queue.next(inFrame: 0, owner: id, at: now, &log) {
            guard let channel = subscriptions[push.token]?.channel else { continue }
            unacknowledged.insert(id)
            return (push, channel)
        }
        return nil
    }

    /// Forgets what one client has got and not acknowledged. Returns false if there is no such client.
    mutating func forgetUnacknowledged() -> Bool {
        guard let id = unacknowledged.popFirst() else { return false }
        clients[id]?.queue.forgetSent(owner: id, &log)
        return true
    }

    mutating func dropExpired(of token: String, at now: Timestamp) {
        guard let id = subscriptions[token]?.client else { return }
        clients[id]?.queue.dropExpired(owner: id, at: now, &log)
    }

    func nextExpiry(_ token: String) -> Timestamp? {
        subscriptions[token].flatMap { clients[$0.client]?.queue.nextExpiry(token) }
    }

    /// - Parameter codes: what the client says about each push, by Mozilla's ids (docs/evidence/receivers.md §7.1).
    ///   Firefox acknowledges a push, and says afterwards that the service worker has failed.
    mutating func acknowledge(_ codes: [String: Int64?], by id: String) {
        for push in clients[id]?.acknowledged ?? [] {
            guard let code = codes[push.id] else { continue }
            log.news.append(.push(push.push, token: push.token, .acknowledged(code: code)))
        }
        // Most wrong acknowledgements end here, without a look at the pushes.
        let known = codes.filter { receivers[$0.key] == id }
        guard !known.isEmpty else { return }
        let pushes = clients[id]?.queue.acknowledge(known, owner: id, &log) ?? []
        let all = (clients[id]?.acknowledged ?? []) + pushes.map { .init(id: $0.id, push: $0.push, token: $0.token) }
        clients[id]?.acknowledged = all.suffix(Self.mostAcknowledged)
    }

    private static let mostAcknowledged = 20

    /// Whether the push was sent, and the client has not said yet what became of it.
    func awaitsReceipt(of push: PushID, _ token: String) -> Bool {
        guard let id = subscriptions[token]?.client, let client = clients[id], client.session != nil else {
            return false
        }
        return client.queue.pushes.contains { $0.push == push && $0.isSentOnThisConnection }
    }

    /// Removes pushes from a client's queue, and notes why.
    mutating func take(from id: String, _ fate: PushFate, where isTaken: (WaitingPush) -> Bool) {
        clients[id]?.queue.take(owner: id, fate, &log, where: isTaken)
    }

    /// Deletes a push that waits. Returns whether it was there.
    mutating func delete(_ version: String) -> Bool {
        guard let id = receivers[version], clients[id]?.queue.push(withID: version)?.wasEverSent == false else {
            return false
        }
        take(from: id, .dropped(.withdrawn)) { $0.id == version }
        return true
    }

    /// Forgets which clients had the pushes that are gone.
    mutating func forgetEndedPushes() {
        for id in log.ended { receivers[id] = nil }
        log.ended = []
    }

    mutating func hexadecimal(_ count: Int) -> String {
        String((0..<count).map { _ in "0123456789abcdef".randomElement(using: &random) ?? "0" })
    }
}

internal import PushCore

/// Pushes for clients of Mozilla's service.
extension AutopushBook {
    /// Adds a push, and returns its id.
    mutating func add(_ push: WaitingPush) -> String {
        var push = push
        push.id = hexadecimal(32)
        guard let agent = subscriptions[push.token]?.agent, agents[agent] != nil else { return push.id }
        let session = agents[agent]?.session
        _ = agents[agent]?.queue.add(push, isConnected: session != nil, .dropsOldest, of: agent, &log)
        if agents[agent]?.queue.push(withID: push.id) != nil { receivers[push.id] = agent }
        if let session { log.woken.append(session) }
        return push.id
    }

    mutating func restore(_ push: WaitingPush, for agent: String) {
        agents[agent]?.queue.restore(push, &log)
        receivers[push.id] = agent
    }

    /// The next push for a client; nil if no more can be sent now.
    mutating func nextMessage(for id: String, at now: Timestamp) -> (push: WaitingPush, channel: String)? {
        while let push = agents[id]?.queue.next(as: 0, of: id, at: now, &log) {
            if let channel = subscriptions[push.token]?.channel { return (push, channel) }
        }
        return nil
    }

    /// - Parameter code: what the client says about the push (docs/evidence/receivers.md §7.1). Firefox acknowledges a
    ///   push, and says afterwards that the service worker has failed.
    mutating func acknowledge(_ version: String, _ code: Int64?, by id: String) {
        if let push = agents[id]?.queue.push(withID: version) {
            agents[id]?.acknowledged.append(push)
            if agents[id]?.acknowledged.count ?? 0 > Self.mostAcknowledged { agents[id]?.acknowledged.removeFirst() }
            take(from: id, .acknowledged(code: code)) { $0.id == version }
        } else if let push = agents[id]?.acknowledged.first(where: { $0.id == version }) {
            log.news.append(.push(push.push, token: push.token, .acknowledged(code: code)))
        }
    }

    private static let mostAcknowledged = 20

    /// Whether the push was sent, and the client has not said yet what became of it.
    func awaitsReceipt(of push: PushID, _ token: String) -> Bool {
        guard let agent = subscriptions[token]?.agent, let client = agents[agent], client.session != nil else {
            return false
        }
        return client.queue.pushes.contains { $0.push == push && $0.isSent }
    }

    /// Removes pushes from a client's queue, and notes why.
    mutating func take(from id: String, _ fate: PushFate, where isTaken: (WaitingPush) -> Bool) {
        agents[id]?.queue.take(of: id, fate, &log, where: isTaken)
    }

    /// Deletes a push that waits. Returns whether it was there.
    mutating func delete(_ version: String) -> Bool {
        guard let id = receivers[version], agents[id]?.queue.push(withID: version)?.isSent == false else {
            return false
        }
        take(from: id, .dropped(.withdrawn)) { $0.id == version }
        return true
    }

    /// Forgets which clients had the pushes that are gone.
    mutating func forgetEndedPushes() {
        for record in log.changed where record.kind == .push {
            guard let id = record.key.split(separator: "/").last.map(String.init), let agent = receivers[id] else {
                continue
            }
            if agents[agent]?.queue.push(withID: id) == nil { receivers[id] = nil }
        }
    }

    mutating func hexadecimal(_ count: Int) -> String {
        String((0..<count).map { _ in "0123456789abcdef".randomElement(using: &random) ?? "0" })
    }
}

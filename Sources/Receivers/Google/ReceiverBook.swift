package import PushCore

/// Real clients of Google's push service, such as Chromium: their ids, registrations and pushes.
package struct ReceiverBook {
    struct Client {
        let token: UInt64
        /// The host of the endpoints of its pages.
        var host: String
        var session: ClientID?
        var registrations: Set<String> = []
        var queue = PushQueue()
        /// How many pushes were dropped because too many waited, by registration. The client learns this with its next push.
        var lost: [String: Int] = [:]
    }

    var clients: [UInt64: Client] = [:]
    /// The registrations, by their tokens.
    var registrations: [String: Registration] = [:]
    /// The same, the other way around.
    var tokens: [Registration: String] = [:]
    /// Tokens that are no longer registered. Senders are told that they are gone.
    var deleted = EndedTokens()
    var random: Random
    var log = ReceiverLog()
    /// The bytes of the registrations' texts.
    var registeredBytes = 0

    static let mostClients = 20_000
    static let mostRegistrations = 1000
    /// Of all clients together: their number, and the bytes of their texts.
    static let mostInAll = (count: 50_000, bytes: 32 << 20)

    package init(seed: UInt64) { random = Random(seed: seed) }

    var forgettingOrder = SecondChance<UInt64>()
    /// Clients that have got pushes without acknowledging them. Some have acknowledged them since.
    var unacknowledged: Set<UInt64> = []

    // MARK: Clients

    /// A client that is known keeps its id; any other gets a new one.
    mutating func checkIn(_ checkin: Checkin) -> ReceiverID? {
        let claimed = checkin.claimed
        if clients[claimed.android]?.token == claimed.token { return claimed }
        if clients.count >= Self.mostClients {
            guard forgetOldest() else { return nil }
        }
        var id = ReceiverID(using: &random)
        // A gateway that has started again with the same seed draws the same numbers.
        while clients[id.android] != nil { id = ReceiverID(using: &random) }
        restore(Client(token: id.token, host: checkin.host), id.android)
        log.note(.client, "\(id.android)")
        return id
    }

    mutating func restore(_ client: Client, _ id: UInt64) {
        clients[id] = client
        forgettingOrder.place(id, hasRegistrations: !client.registrations.isEmpty)
    }

    /// Forgets a client that is not connected. Returns false if none was found.
    private mutating func forgetOldest() -> Bool {
        guard let found = forgettingOrder.next(isConnected: { [clients] in clients[$0]?.session != nil }) else {
            return false
        }
        for token in clients[found]?.registrations ?? [] { end(token) }
        clients[found] = nil
        forgettingOrder.remove(found)
        log.note(.client, "\(found)")
        return true
    }

    /// Remembers that a token has ended.
    mutating func noteEnd(of token: String) {
        if let forgotten = deleted.insert(token) { log.note(.ended, forgotten) }
        log.note(.ended, token)
    }

    /// Whether there is a registration with this token.
    package func knows(token: String) -> Bool { registrations[token] != nil }

    func knows(_ id: ReceiverID) -> Bool { clients[id.android]?.token == id.token }

    /// Connects a client. Returns false if its id or token is wrong.
    mutating func connect(_ id: ReceiverID, _ session: ClientID) -> Bool {
        guard knows(id) else { return false }
        if let old = clients[id.android]?.session { log.toClose.append(old) }
        clients[id.android]?.session = session
        log.news.append(.connected(true, tokens: tokens(of: id.android)))
        return true
    }

    /// The connection has ended. A newer connection of the same client stays.
    package mutating func disconnect(_ client: UInt64, _ session: ClientID) {
        guard isCurrent(session, of: client) else { return }
        clients[client]?.session = nil
        log.news.append(.connected(false, tokens: tokens(of: client)))
    }

    mutating func cut(_ token: String) {
        guard let client = registrations[token]?.client, let session = clients[client]?.session else { return }
        log.toClose.append(session)
        disconnect(client, session)
    }

    func isCurrent(_ session: ClientID, of client: UInt64) -> Bool { clients[client]?.session == session }

    private func tokens(of client: UInt64) -> [String] { clients[client]?.registrations.sorted() ?? [] }

    // MARK: Pushes

    /// Adds a push for the client of its token. Returns its id.
    mutating func add(_ push: WaitingPush) -> String {
        var push = push
        push.id = DataMessage.id(at: push.sent, using: &random)
        guard let client = registrations[push.token]?.client, clients[client] != nil else { return push.id }
        let session = clients[client]?.session
        let dropped = clients[client]?.queue.add(
            push, isConnected: session != nil, .dropsAll, owner: "\(client)", &log)
        for token in dropped ?? [] { clients[client]?.lost[token, default: 0] += 1 }
        if let session { log.woken.append(session) }
        return push.id
    }

    /// The next push as a frame's message; nil if no more can be sent now.
    mutating func nextMessage(for client: UInt64, as frame: UInt64, received: UInt64, at now: Timestamp) -> [UInt8]? {
        while let (token, count) = clients[client]?.lost.popFirst() {
            guard let registration = registrations[token] else { continue }
            return DataMessage.deletedMessages(count: count, registration, received: received, at: now)
        }
        while let push = clients[client]?.queue.next(inFrame: frame, owner: "\(client)", at: now, &log) {
            guard let registration = registrations[push.token] else { continue }
            unacknowledged.insert(client)
            return DataMessage.of(push, registration, received: received)
        }
        return nil
    }

    /// Forgets what one client has got and not acknowledged. Returns false if there is no such client.
    mutating func forgetUnacknowledged() -> Bool {
        guard let client = unacknowledged.popFirst() else { return false }
        clients[client]?.queue.forgetSent(owner: "\(client)", &log)
        return true
    }

    mutating func dropExpired(of token: String, at now: Timestamp) {
        guard let client = registrations[token]?.client else { return }
        clients[client]?.queue.dropExpired(owner: "\(client)", at: now, &log)
    }

    func nextExpiry(_ token: String) -> Timestamp? {
        registrations[token].flatMap { clients[$0.client]?.queue.nextExpiry(token) }
    }

    mutating func restore(_ push: WaitingPush, for client: UInt64) {
        clients[client]?.queue.restore(push, &log)
        if push.wasEverSent { unacknowledged.insert(client) }
    }

    mutating func startAgain(_ client: UInt64) { clients[client]?.queue.startAgain() }

    mutating func acknowledge(upTo frame: UInt64, by client: UInt64) {
        take(from: client, .acknowledged(code: nil)) { $0.frame.map { $0 <= frame } ?? false }
    }

    mutating func acknowledge(_ ids: [String], by client: UInt64) {
        guard !ids.isEmpty else { return }
        let ids = Set(ids)
        take(from: client, .acknowledged(code: nil)) { ids.contains($0.id) }
    }

    /// Removes pushes from a client's queue, and notes why.
    mutating func take(from client: UInt64, _ fate: PushFate, where isTaken: (WaitingPush) -> Bool) {
        clients[client]?.queue.take(owner: "\(client)", fate, &log, where: isTaken)
    }
}

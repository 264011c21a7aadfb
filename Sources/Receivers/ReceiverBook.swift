package import PushCore

/// Real clients that take their pushes from the gateway, such as browsers: their ids, registrations and pushes.
package struct ReceiverBook {
    struct Client {
        let token: UInt64
        var session: ClientID?
        var registrations: Set<String> = []
        /// The pushes that the client has not acknowledged, oldest first.
        var pushes: [QueuedPush] = []
    }

    var clients: [UInt64: Client] = [:]
    /// The registrations, by their tokens.
    var registrations: [String: Registration] = [:]
    /// The same, the other way around.
    var tokens: [Registration: String] = [:]
    /// Tokens that were registered once. Senders are told that they are gone.
    var deleted: Set<String> = []
    var random: Random

    static let mostClients = 20_000
    static let mostRegistrations = 1000
    static let mostDeleted = 100_000
    /// The largest number of pushes that wait for a client. One more, and all are dropped, as for Android
    /// (docs/evidence/fcm.md, documented; assumed for browsers).
    static let mostPushes = 100

    package init(seed: UInt64) { random = Random(seed: seed) }

    /// The gateway's connections whose clients have new pushes.
    package private(set) var woken: [ClientID] = []

    package mutating func takeWoken() -> [ClientID] {
        defer { woken = [] }
        return woken
    }

    var news: [ReceiverNews] = []

    /// What has happened since the last call, oldest first.
    package mutating func takeNews() -> [ReceiverNews] {
        defer { news = [] }
        return news
    }

    // MARK: Clients

    /// A client that is known keeps its id; any other gets a new one. Nil if there is no room.
    mutating func checkIn(_ claimed: ReceiverID) -> ReceiverID? {
        if clients[claimed.android]?.token == claimed.token { return claimed }
        guard clients.count < Self.mostClients else { return nil }
        let id = ReceiverID(using: &random)
        clients[id.android] = Client(token: id.token)
        return id
    }

    /// Whether there is a registration with this token.
    package func knows(token: String) -> Bool { registrations[token] != nil }

    func knows(_ id: ReceiverID) -> Bool { clients[id.android]?.token == id.token }

    /// Connects a client. Returns false if its id or token is wrong.
    mutating func connect(_ id: ReceiverID, _ session: ClientID) -> Bool {
        guard knows(id) else { return false }
        clients[id.android]?.session = session
        news.append(.connected(true, tokens: tokens(of: id.android)))
        return true
    }

    /// The connection has ended. A newer connection of the same client stays.
    package mutating func disconnect(_ client: UInt64, _ session: ClientID) {
        guard clients[client]?.session == session else { return }
        clients[client]?.session = nil
        news.append(.connected(false, tokens: tokens(of: client)))
    }

    private func tokens(of client: UInt64) -> [String] { clients[client]?.registrations.sorted() ?? [] }

    // MARK: Pushes

    mutating func add(_ push: QueuedPush, for client: UInt64) {
        guard let session = enqueue(push, client) else { return }
        woken.append(session)
    }

    /// Returns the client's connection.
    private mutating func enqueue(_ push: QueuedPush, _ client: UInt64) -> ClientID? {
        guard var entry = clients[client] else { return nil }
        if push.lifetime == 0, entry.session == nil {
            note(push, .dropped(.notConnected))
            return nil
        }
        if let topic = push.topic {
            for old in entry.pushes.take(where: { $0.topic == topic && $0.token == push.token && !$0.isSent }) {
                note(old, .replaced(by: push.push))
            }
        }
        for old in entry.pushes.take(where: { !$0.isSent && $0.expires < push.sent }) { note(old, .dropped(.expired)) }
        if entry.pushes.count >= Self.mostPushes {
            // What was sent has arrived, as far as is known: it is forgotten without a word.
            for old in entry.pushes where !old.isSent { note(old, .dropped(.tooMany)) }
            entry.pushes = []
        }
        if entry.session == nil { note(push, .stored) }
        entry.pushes.append(push)
        clients[client] = entry
        return entry.session
    }

    /// The next push as a frame's message; nil if no more can be sent now.
    mutating func nextMessage(for client: UInt64, as streamID: UInt64, received: UInt64, at now: Timestamp) -> [UInt8]?
    {
        take(from: client, .dropped(.expired)) { !$0.isSent && $0.expires < now }
        guard let index = clients[client]?.pushes.firstIndex(where: { !$0.isSent }),
            let push = clients[client]?.pushes[index]
        else { return nil }
        clients[client]?.pushes[index].streamID = streamID
        note(push, .delivered)
        return push.message(received: received)
    }

    /// Pushes that were sent over an earlier connection, and not acknowledged, are sent again.
    mutating func queueAgain(for client: UInt64) {
        guard let count = clients[client]?.pushes.count else { return }
        for index in 0..<count { clients[client]?.pushes[index].streamID = nil }
    }

    mutating func acknowledge(upTo streamID: UInt64, by client: UInt64) {
        take(from: client, .acknowledged(code: nil)) { $0.streamID.map { $0 <= streamID } ?? false }
    }

    mutating func acknowledge(_ ids: [String], by client: UInt64) {
        guard !ids.isEmpty else { return }
        let ids = Set(ids)
        take(from: client, .acknowledged(code: nil)) { ids.contains($0.id) }
    }

    /// Removes pushes from a client's queue, and notes why.
    mutating func take(from client: UInt64, _ fate: PushFate, where isTaken: (QueuedPush) -> Bool) {
        for push in clients[client]?.pushes.take(where: isTaken) ?? [] { note(push, fate) }
    }

    private mutating func note(_ push: QueuedPush, _ fate: PushFate) {
        news.append(.push(push.push, token: push.token, fate))
    }
}

extension Array {
    /// Removes the elements that match, and returns them.
    mutating func take(where isTaken: (Element) -> Bool) -> [Element] {
        guard contains(where: isTaken) else { return [] }
        let taken = filter(isTaken)
        removeAll(where: isTaken)
        return taken
    }
}

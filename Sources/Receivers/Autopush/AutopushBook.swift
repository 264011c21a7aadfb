package import PushCore

/// Real clients of Mozilla's push service, such as Firefox: their ids, subscriptions and pushes
/// (docs/evidence/receivers.md §6.3 and §7).
package struct AutopushBook {
    struct Agent {
        var session: ClientID?
        /// The tokens of its subscriptions, by channel.
        var channels: [String: String] = [:]
        /// The pushes that the client has not acknowledged, oldest first.
        var pushes: [AutopushMessage] = []
    }

    struct Subscription {
        let agent: String
        let channel: String
        /// The VAPID key that may send; nil if anybody may.
        let key: [UInt8]?
    }

    var agents: [String: Agent] = [:]
    /// The subscriptions, by their tokens.
    var subscriptions: [String: Subscription] = [:]
    /// The client that has registered a channel last, by channel.
    private var owners: [String: String] = [:]
    /// Tokens of subscriptions that have ended. Senders are told that they are gone.
    var deleted: Set<String> = []
    /// The clients of the pushes that wait or are not acknowledged, by Mozilla's ids of the pushes.
    private var receivers: [String: String] = [:]
    private var random: Random
    package private(set) var woken: [ClientID] = []

    static let mostAgents = 20_000
    static let mostChannels = 1000
    static let mostDeleted = 100_000
    static let mostPushes = 100

    package init(seed: UInt64) { random = Random(seed: seed &+ 1) }

    package mutating func takeWoken() -> [ClientID] {
        defer { woken = [] }
        return woken
    }

    private var news: [ReceiverNews] = []

    /// What has happened since the last call, oldest first.
    package mutating func takeNews() -> [ReceiverNews] {
        defer { news = [] }
        return news
    }

    /// Connects a client. An unknown id is replaced by a new one. Nil if there is no room.
    mutating func connect(_ known: String?, _ session: ClientID) -> String? {
        let id = known.flatMap { agents[$0] == nil ? nil : $0 } ?? hexadecimal(32)
        guard agents[id] != nil || agents.count < Self.mostAgents else { return nil }
        agents[id, default: Agent()].session = session
        queueAgain(for: id)
        noteConnection(true, of: id)
        return id
    }

    /// The connection has ended. A newer connection of the same client stays.
    package mutating func disconnect(_ id: String, _ session: ClientID) {
        guard agents[id]?.session == session else { return }
        agents[id]?.session = nil
        noteConnection(false, of: id)
        // A client without subscriptions gets a new id the next time.
        if agents[id]?.channels.isEmpty == true { agents[id] = nil }
    }

    private mutating func noteConnection(_ isConnected: Bool, of id: String) {
        guard let tokens = agents[id]?.channels.values, !tokens.isEmpty else { return }
        news.append(.connected(isConnected, tokens: tokens.sorted()))
    }

    /// The endpoint of a channel, which is made if it does not exist. Nil if there is no room.
    ///
    /// - Parameter base: the gateway's URL.
    mutating func subscribe(_ channel: String, of id: String, key: [UInt8]?, base: String) -> String? {
        func endpoint(_ token: String) -> String { "\(base)/wpush/\(key == nil ? "v1" : "v2")/\(token)" }
        guard let agent = agents[id] else { return nil }
        if let token = agent.channels[channel] { return endpoint(token) }
        guard agent.channels.count < Self.mostChannels else { return nil }
        let token = "gAAAAAB" + hexadecimal(160)
        agents[id]?.channels[channel] = token
        owners[channel] = id
        subscriptions[token] = Subscription(agent: id, channel: channel, key: key)
        let receiver = Receiver(token: token, app: Self.app, client: "Firefox", endpoint: endpoint(token))
        news += [.subscribed(receiver), .connected(true, tokens: [token])]
        return endpoint(token)
    }

    /// Ends the subscription of a channel. A client may name it over a connection with another id.
    mutating func unsubscribe(_ channel: String, of id: String) {
        let owner = agents[id]?.channels[channel] == nil ? owners[channel] : id
        guard let owner, let token = agents[owner]?.channels.removeValue(forKey: channel) else { return }
        take(from: owner, .dropped(.unsubscribed)) { $0.channel == channel }
        news.append(.unsubscribed(token: token))
        subscriptions[token] = nil
        if owners[channel] == owner { owners[channel] = nil }
        if deleted.count < Self.mostDeleted { deleted.insert(token) }
    }

    /// Whether there is a subscription with this token.
    package func knows(token: String) -> Bool { subscriptions[token] != nil }

    /// Ends a subscription, as if its client had done so.
    package mutating func end(_ token: String) {
        if let subscription = subscriptions[token] { unsubscribe(subscription.channel, of: subscription.agent) }
    }

    /// Adds a push, and returns its id.
    mutating func add(_ message: AutopushMessage) -> String {
        var message = message
        message.version = hexadecimal(32)
        enqueue(message)
        return message.version
    }

    private mutating func enqueue(_ message: AutopushMessage) {
        guard var agent = agents[message.agent] else { return }
        if message.lifetime == 0, agent.session == nil { return note(message, .dropped(.notConnected)) }
        if let topic = message.topic {
            for old in agent.pushes.take(where: { $0.topic == topic && $0.channel == message.channel && !$0.isSent }) {
                note(old, .replaced(by: message.push))
            }
        }
        if agent.pushes.count >= Self.mostPushes { note(agent.pushes.removeFirst(), .dropped(.tooMany)) }
        if agent.session == nil { note(message, .stored) }
        agent.pushes.append(message)
        receivers[message.version] = message.agent
        agents[message.agent] = agent
        if let session = agent.session { woken.append(session) }
    }

    /// The next push for a client; nil if no more can be sent now.
    mutating func nextMessage(for id: String, at now: Timestamp) -> AutopushMessage? {
        take(from: id, .dropped(.expired)) { !$0.isSent && $0.expires < now }
        guard let index = agents[id]?.pushes.firstIndex(where: { !$0.isSent }) else { return nil }
        agents[id]?.pushes[index].isSent = true
        guard let message = agents[id]?.pushes[index] else { return nil }
        note(message, .delivered)
        return message
    }

    /// - Parameter code: what the client says about the push (docs/evidence/receivers.md §7.1).
    mutating func acknowledge(_ version: String, _ code: Int64?, by id: String) {
        take(from: id, .acknowledged(code: code)) { $0.version == version }
    }

    /// Removes pushes from a client's queue, and notes why.
    private mutating func take(from id: String, _ fate: PushFate, where isTaken: (AutopushMessage) -> Bool) {
        for message in agents[id]?.pushes.take(where: isTaken) ?? [] { note(message, fate) }
    }

    private mutating func note(_ message: AutopushMessage, _ fate: PushFate) {
        news.append(.push(message.push, token: message.token, fate))
        if fate != .stored, fate != .delivered { receivers[message.version] = nil }
    }

    /// Firefox does not tell its push service which page has subscribed.
    private static let app = "org.mozilla.firefox"

    /// Pushes that were sent over an earlier connection, and not acknowledged, are sent again.
    private mutating func queueAgain(for id: String) {
        guard let count = agents[id]?.pushes.count else { return }
        for index in 0..<count { agents[id]?.pushes[index].isSent = false }
    }

    /// Deletes a push that waits. Returns whether it was there.
    package mutating func delete(_ version: String) -> Bool {
        guard let id = receivers[version],
            agents[id]?.pushes.contains(where: { $0.version == version && !$0.isSent }) == true
        else { return false }
        take(from: id, .dropped(.withdrawn)) { $0.version == version }
        return true
    }

    private mutating func hexadecimal(_ count: Int) -> String {
        String((0..<count).map { _ in "0123456789abcdef".randomElement(using: &random) ?? "0" })
    }
}

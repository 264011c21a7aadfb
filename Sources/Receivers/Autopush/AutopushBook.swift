package import PushCore

/// Real clients of Mozilla's push service, such as Firefox: their ids, subscriptions and pushes
/// (docs/evidence/receivers.md §6.3 and §7).
package struct AutopushBook {
    struct Agent {
        var session: ClientID?
        /// The tokens of its subscriptions, by channel.
        var channels: [String: String] = [:]
        var queue = PushQueue()
        /// The pushes that it has acknowledged last: it may say afterwards that its service worker has failed.
        var acknowledged: [Acknowledged] = []
    }

    struct Acknowledged {
        /// Mozilla's id of the push.
        let id: String
        let push: PushID
        let token: String
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
    var owners: [String: String] = [:]
    /// Tokens of subscriptions that have ended. Senders are told that they are gone.
    var deleted = EndedTokens()
    /// The clients of the pushes that wait or are not acknowledged, by Mozilla's ids of the pushes.
    var receivers: [String: String] = [:]
    var random: Random
    var log = ReceiverLog()

    static let mostAgents = 20_000
    static let mostChannels = 1000
    /// Of all clients together.
    static let mostSubscriptions = 50_000

    package init(seed: UInt64) { random = Random(seed: seed &+ 1) }

    private var age = SecondChance<String>()
    /// Clients that have got pushes without acknowledging them. Some have acknowledged them since.
    var unacknowledged: Set<String> = []

    // MARK: Clients

    /// Connects a client. An unknown id is replaced by a new one. Nil if there is no room.
    mutating func connect(_ known: String?, _ session: ClientID) -> String? {
        let id = known.flatMap { agents[$0] == nil ? nil : $0 } ?? hexadecimal(32)
        if agents[id] == nil {
            guard agents.count < Self.mostAgents || forgetOldest() else { return nil }
            restore(Agent(), id)
        }
        if let old = agents[id]?.session { log.replaced.append(old) }
        agents[id]?.session = session
        agents[id]?.queue.startAgain()
        noteConnection(true, of: id)
        return id
    }

    mutating func restore(_ agent: Agent, _ id: String) {
        agents[id] = agent
        age.place(id, isHeavy: false)
    }

    /// Forgets a client that is not connected. Returns false if none was found.
    private mutating func forgetOldest() -> Bool {
        guard let found = age.next(isConnected: { [agents] in agents[$0]?.session != nil }) else { return false }
        for channel in agents[found]?.channels.keys.map(\.self) ?? [] { unsubscribe(channel, of: found) }
        forget(found)
        return true
    }

    private mutating func forget(_ id: String) {
        agents[id] = nil
        age.remove(id)
        log.note(.agent, id)
    }

    /// The connection has ended. A newer connection of the same client stays.
    package mutating func disconnect(_ id: String, _ session: ClientID) {
        guard isCurrent(session, of: id) else { return }
        agents[id]?.session = nil
        noteConnection(false, of: id)
        // A client without subscriptions gets a new id the next time.
        if agents[id]?.channels.isEmpty == true { forget(id) }
    }

    mutating func cut(_ token: String) {
        guard let agent = subscriptions[token]?.agent, let session = agents[agent]?.session else { return }
        log.replaced.append(session)
        disconnect(agent, session)
    }

    func isCurrent(_ session: ClientID, of id: String) -> Bool { agents[id]?.session == session }

    private mutating func noteConnection(_ isConnected: Bool, of id: String) {
        guard let tokens = agents[id]?.channels.values, !tokens.isEmpty else { return }
        log.news.append(.connected(isConnected, tokens: tokens.sorted()))
    }

    // MARK: Subscriptions

    /// The endpoint of a channel, which is made if it does not exist. Nil if there is no room.
    ///
    /// - Parameter base: the gateway's URL.
    mutating func subscribe(_ channel: String, of id: String, key: [UInt8]?, base: String) -> String? {
        func endpoint(_ token: String) -> String { "\(base)/wpush/\(key == nil ? "v1" : "v2")/\(token)" }
        guard let agent = agents[id] else { return nil }
        if let token = agent.channels[channel] { return endpoint(token) }
        guard agent.channels.count < Self.mostChannels, subscriptions.count < Self.mostSubscriptions else { return nil }
        var token = newToken()
        while subscriptions[token] != nil { token = newToken() }
        restore(Subscription(agent: id, channel: channel, key: key), token)
        let receiver = Receiver(token: token, app: Self.app, client: "Firefox", endpoint: endpoint(token))
        log.news += [.subscribed(receiver), .connected(true, tokens: [token])]
        log.note(.agent, id)
        log.note(.subscription, token)
        return endpoint(token)
    }

    mutating func restore(_ subscription: Subscription, _ token: String) {
        if agents[subscription.agent]?.channels.isEmpty == true { age.place(subscription.agent, isHeavy: true) }
        agents[subscription.agent]?.channels[subscription.channel] = token
        owners[subscription.channel] = subscription.agent
        subscriptions[token] = subscription
    }

    private mutating func newToken() -> String { "gAAAAAB" + hexadecimal(160) }

    /// Ends the subscription of a channel. A client may name it over a connection with another id.
    mutating func unsubscribe(_ channel: String, of id: String) {
        let owner = agents[id]?.channels[channel] == nil ? owners[channel] : id
        guard let owner, let token = agents[owner]?.channels.removeValue(forKey: channel) else { return }
        if agents[owner]?.channels.isEmpty == true { age.place(owner, isHeavy: false) }
        agents[owner]?.queue.end(token, of: owner, &log)
        log.news.append(.unsubscribed(token: token))
        subscriptions[token] = nil
        log.note(.subscription, token)
        if owners[channel] == owner { owners[channel] = nil }
        if let forgotten = deleted.insert(token) { log.note(.endedSubscription, forgotten) }
        log.note(.endedSubscription, token)
    }

    /// Whether there is a subscription with this token.
    package func knows(token: String) -> Bool { subscriptions[token] != nil }

    /// Ends a subscription, as if its client had done so.
    package mutating func end(_ token: String) {
        if let subscription = subscriptions[token] { unsubscribe(subscription.channel, of: subscription.agent) }
    }

    /// Firefox does not tell its push service which page has subscribed.
    private static let app = "org.mozilla.firefox"
}

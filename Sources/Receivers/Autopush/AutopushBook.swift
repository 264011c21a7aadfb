package import PushCore

/// Real clients of Mozilla's push service, such as Firefox: their ids, subscriptions and pushes
/// (docs/evidence/receivers.md §6.3 and §7).
package struct AutopushBook {
    struct Client {
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
        let client: String
        let channel: String
        /// The VAPID key that may send; nil if anybody may.
        let key: [UInt8]?
    }

    var clients: [String: Client] = [:]
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

    static let mostClients = 20_000
    static let mostChannels = 1000
    /// Of all clients together.
    static let mostSubscriptions = 50_000

    package init(seed: UInt64) { random = Random(seed: seed &+ 1) }

    private var forgettingOrder = SecondChance<String>()
    /// Clients that have got pushes without acknowledging them. Some have acknowledged them since.
    var unacknowledged: Set<String> = []

    // MARK: Clients

    /// Connects a client. An unknown id is replaced by a new one. Nil if there is no room.
    mutating func connect(_ known: String?, _ session: ClientID) -> String? {
        let id = known.flatMap { clients[$0] == nil ? nil : $0 } ?? hexadecimal(32)
        if clients[id] == nil {
            guard clients.count < Self.mostClients || forgetOldest() else { return nil }
            restore(Client(), id)
        }
        if let old = clients[id]?.session { log.toClose.append(old) }
        clients[id]?.session = session
        clients[id]?.queue.startAgain()
        noteConnection(true, of: id)
        return id
    }

    mutating func restore(_ client: Client, _ id: String) {
        clients[id] = client
        forgettingOrder.place(id, hasRegistrations: false)
    }

    /// Forgets a client that is not connected. Returns false if none was found.
    private mutating func forgetOldest() -> Bool {
        guard let found = forgettingOrder.next(isConnected: { [clients] in clients[$0]?.session != nil }) else {
            return false
        }
        for channel in clients[found]?.channels.keys.map(\.self) ?? [] { unsubscribe(channel, of: found) }
        forget(found)
        return true
    }

    private mutating func forget(_ id: String) {
        clients[id] = nil
        forgettingOrder.remove(id)
        log.note(.agent, id)
    }

    /// The connection has ended. A newer connection of the same client stays.
    package mutating func disconnect(_ id: String, _ session: ClientID) {
        guard isCurrent(session, of: id) else { return }
        clients[id]?.session = nil
        noteConnection(false, of: id)
        // A client without subscriptions gets a new id the next time.
        if clients[id]?.channels.isEmpty == true { forget(id) }
    }

    mutating func cut(_ token: String) {
        guard let client = subscriptions[token]?.client, let session = clients[client]?.session else { return }
        log.toClose.append(session)
        disconnect(client, session)
    }

    func isCurrent(_ session: ClientID, of id: String) -> Bool { clients[id]?.session == session }

    private mutating func noteConnection(_ isConnected: Bool, of id: String) {
        guard let tokens = clients[id]?.channels.values, !tokens.isEmpty else { return }
        log.news.append(.connected(isConnected, tokens: tokens.sorted()))
    }

    // MARK: Subscriptions

    /// The endpoint of a channel, which is made if it does not exist. Nil if there is no room.
    ///
    /// - Parameter base: the gateway's URL.
    mutating func subscribe(_ channel: String, of id: String, key: [UInt8]?, base: String) -> String? {
        func endpoint(_ token: String) -> String { "\(base)/wpush/\(key == nil ? "v1" : "v2")/\(token)" }
        guard let client = clients[id] else { return nil }
        if let token = client.channels[channel] { return endpoint(token) }
        guard client.channels.count < Self.mostChannels, subscriptions.count < Self.mostSubscriptions else {
            return nil
        }
        var token = newToken()
        while subscriptions[token] != nil { token = newToken() }
        restore(Subscription(client: id, channel: channel, key: key), token)
        let receiver = Receiver(token: token, app: Self.app, client: "Firefox", endpoint: endpoint(token))
        log.news += [.subscribed(receiver), .connected(true, tokens: [token])]
        log.note(.agent, id)
        log.note(.subscription, token)
        return endpoint(token)
    }

    mutating func restore(_ subscription: Subscription, _ token: String) {
        if clients[subscription.client]?.channels.isEmpty == true {
            forgettingOrder.place(subscription.client, hasRegistrations: true)
        }
        clients[subscription.client]?.channels[subscription.channel] = token
        owners[subscription.channel] = subscription.client
        subscriptions[token] = subscription
    }

    private mutating func newToken() -> String { "gAAAAAB" + hexadecimal(160) }

    /// Ends the subscription of a channel. A client may name it over a connection with another id.
    mutating func unsubscribe(_ channel: String, of id: String) {
        let owner = clients[id]?.channels[channel] == nil ? owners[channel] : id
        guard let owner, let token = clients[owner]?.channels.removeValue(forKey: channel) else { return }
        if clients[owner]?.channels.isEmpty == true { forgettingOrder.place(owner, hasRegistrations: false) }
        clients[owner]?.queue.end(token, owner: owner, &log)
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
        if let subscription = subscriptions[token] { unsubscribe(subscription.channel, of: subscription.client) }
    }

    /// Firefox does not tell its push service which page has subscribed.
    private static let app = "org.mozilla.firefox"
}

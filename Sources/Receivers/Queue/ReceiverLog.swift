internal import PushCore

/// What a book of receivers has to tell the gateway after each call.
struct ReceiverLog {
    /// What has happened, oldest first.
    var news: [ReceiverNews] = []
    /// The connections whose receivers have new pushes.
    var woken: [ClientID] = []
    /// The connections to close: the client has reconnected, or a fault cuts it.
    var toClose: [ClientID] = []
    /// The size of all pushes that wait or are not acknowledged.
    var waitingBytes = 0
    /// The services' ids of the pushes that are gone.
    var ended: [String] = []
    /// The records that have changed (`ReceiverRecord`).
    var changed: Set<ReceiverRecord> = []

    /// Notes what has become of a push.
    mutating func note(_ push: WaitingPush, _ fate: PushFate, of owner: String) {
        news.append(.push(push.push, token: push.token, fate))
        if fate != .stored, fate != .delivered { note(endOf: push, of: owner) }
    }

    /// Notes that a push has left a queue.
    mutating func note(endOf push: WaitingPush, of owner: String) {
        ended.append(push.id)
        note(change: push, of: owner)
    }

    /// Notes that a push has come or gone, so that it is saved.
    mutating func note(change push: WaitingPush, of owner: String) {
        changed.insert(ReceiverRecord(.push, "\(owner)/\(push.id)"))
    }

    mutating func note(_ kind: ReceiverRecord.Kind, _ key: String) { changed.insert(ReceiverRecord(kind, key)) }
}

/// Names a part of the receivers' state that is saved as one record.
struct ReceiverRecord: Hashable {
    enum Kind: String, CaseIterable {
        case client, registration, ended, push
        case agent, subscription, endedSubscription
        case installation, firebase
    }

    let kind: Kind
    let key: String

    init(_ kind: Kind, _ key: String) {
        self.kind = kind
        self.key = key
    }

    var text: String { "\(kind.rawValue) \(key)" }

    init?(_ text: String) {
        let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let kind = Kind(rawValue: String(parts[0])) else { return nil }
        self.init(kind, String(parts[1]))
    }
}

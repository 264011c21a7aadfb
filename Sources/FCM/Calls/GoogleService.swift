/// The part of Google's services that a request is for. Each recorded answer and each fault is for some of these services.
package enum GoogleService: Sendable {
    case send, topics, instanceID, token, legacySend, removedBatch, connect, other
    /// The calls with which browsers and web apps register.
    case receivers

    package init(_ route: GoogleRoute) {
        self =
            switch route {
            case .send: .send
            case .subscriptions: .topics
            case .batch, .batchImport, .relation, .info: .instanceID
            case .token: .token
            case .legacySend: .legacySend
            case .removedBatch: .removedBatch
            case .connect: .connect
            case .none: .other
            }
    }

    /// Whether a fault that names neither a path nor a recorded answer applies to this service. It must not apply to
    /// `/token`: most senders could then not get an access token, and could not send at all.
    package var isOpenToFaults: Bool {
        switch self {
        case .send, .topics, .instanceID: true
        case .token, .legacySend, .removedBatch, .connect, .other, .receivers: false
        }
    }
}

/// The part of Google's services that a request is for. Recorded answers and faults belong to some of them.
package enum GoogleService: Sendable {
    case send, topics, instanceID, token, legacySend, removedBatch, connect, other

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

    /// Whether a fault hits it that names neither a path nor a recorded answer. If `/token` were hit too, a fault on
    /// messages would keep most senders from sending at all.
    package var isOpenToFaults: Bool {
        switch self {
        case .send, .topics, .instanceID: true
        case .token, .legacySend, .removedBatch, .connect, .other: false
        }
    }
}

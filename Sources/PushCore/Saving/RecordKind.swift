/// The kinds of records that are saved in addition to events, devices and tracking. The raw values are written to the
/// disk.
///
/// `PushEngine+Records.swift` encodes and restores the records of each kind. To save something new, add a kind here,
/// handle it in that file, and note each change in `PushEngine.changes`.
package enum RecordKind: String, CaseIterable, Sendable {
    /// A broadcast channel. The key is `ChannelRegistry.Key.text`.
    case channel
    /// A fault with its counters. The key is the fault's id.
    case fault
    /// How many requests for one device token matched a fault. The key is the fault's id, a space and the token.
    case faultCount = "fault-count"
    /// What a device gets when it fetches a URL. The key is the URL.
    case media
    /// A provider key that was added over the control API. The key is its id.
    case apnsKey = "apns-key"
    /// A service account that was added over the control API. The key is its address.
    case serviceAccount = "service-account"
    /// How the clock differs from the system's. The key is empty.
    case clock
    /// A push that a fault delivers later. The key is `LatePush.key`.
    case latePush = "late-push"
    /// How many devices of a late push have had their turn. The key is that of the push.
    case latePushProgress = "late-push-progress"
    /// One record about real receivers: browsers and apps that get their pushes from the gateway. The key is that of `ReceiverRecord`.
    case receiver
}

/// Identifies one record.
package struct RecordID: Hashable {
    package let kind: RecordKind
    package let key: String

    package init(kind: RecordKind, key: String) {
        self.kind = kind
        self.key = key
    }
}

/// The records that have changed since they were last saved.
package struct RecordChanges {
    /// False if nothing is saved on a disk.
    package var isCollecting = false
    /// How many changes were noted so far.
    package private(set) var count: UInt64 = 0
    private var unsaved: Set<RecordID> = []

    package init() {}

    /// Call this after a record was added, changed or removed.
    package mutating func note(_ kind: RecordKind, _ key: String) {
        guard isCollecting else { return }
        unsaved.insert(RecordID(kind: kind, key: key))
        count += 1
    }

    /// Counts a change that is saved in another way: by `PushEngine.deletions`.
    package mutating func noteDeletion() { count += 1 }

    /// Adds a record again, because the batch that contained it was not saved.
    package mutating func addUnsaved(_ record: RecordID) { unsaved.insert(record) }

    package mutating func take() -> Set<RecordID> {
        defer { unsaved = [] }
        return unsaved
    }
}

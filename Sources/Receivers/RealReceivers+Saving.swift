package import PushCore

/// Which records of receivers have changed, what they contain, and how they are restored.
extension RealReceivers {
    /// The keys of the records that have changed since they were last taken.
    package mutating func takeUnsaved() -> [String] {
        defer { unsaved = [] }
        return unsaved.map(\.text)
    }

    /// Adds a record again, because its batch could not be written.
    package mutating func addUnsaved(_ key: String) {
        if let record = ReceiverRecord(key) { unsaved.insert(record) }
    }

    /// The bytes of a record; nil if it does not exist any more.
    package func bytes(ofRecord text: String) -> [UInt8]? {
        guard let record = ReceiverRecord(text) else { return nil }
        let key = record.key
        return switch record.kind {
        case .client: UInt64(key).flatMap { google.clients[$0] }?.savedBytes
        case .registration: google.registrations[key]?.savedBytes
        case .ended: google.deleted.contains(key) ? [] : nil
        case .endedSubscription: mozilla.deleted.contains(key) ? [] : nil
        case .push: push(key)?.savedBytes
        case .agent: mozilla.clients[key].flatMap { $0.channels.isEmpty ? nil : [] }
        case .subscription: mozilla.subscriptions[key]?.savedBytes
        case .installation: firebase.installations[key]?.savedBytes
        case .firebase: firebase.registrations[key]?.savedBytes
        }
    }

    private func push(_ key: String) -> WaitingPush? {
        guard let (owner, id) = Self.parts(key) else { return nil }
        if let client = UInt64(owner), let found = google.clients[client]?.queue.push(withID: id) { return found }
        return mozilla.clients[owner]?.queue.push(withID: id)
    }

    private static func parts(_ key: String) -> (owner: String, id: String)? {
        let parts = key.split(separator: "/", maxSplits: 1)
        return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
    }

    /// Restores records. A record that another one needs is restored before it.
    package mutating func restore(_ records: [(key: String, bytes: [UInt8])]) throws(DamagedRecord) {
        var byKind: [ReceiverRecord.Kind: [(key: String, bytes: [UInt8])]] = [:]
        for (key, bytes) in records {
            guard let record = ReceiverRecord(key) else { throw DamagedRecord(key: key) }
            byKind[record.kind, default: []].append((record.key, bytes))
        }
        for kind in ReceiverRecord.Kind.allCases where kind != .push {
            for (key, bytes) in byKind[kind] ?? [] { try restoreWhole(kind, key, bytes) }
        }
        // In the order in which they came.
        var pushes: [(owner: String, push: WaitingPush)] = []
        for (key, bytes) in byKind[.push] ?? [] {
            guard let (owner, id) = Self.parts(key), let push = try? WaitingPush(saved: bytes), push.id == id else {
                throw DamagedRecord(key: key)
            }
            pushes.append((owner, push))
        }
        for (owner, push) in pushes.sorted(by: { $0.push.push.number < $1.push.push.number }) { restore(push, owner) }
    }

    package struct DamagedRecord: Error {
        package let key: String
    }

    private mutating func restoreWhole(
        _ kind: ReceiverRecord.Kind, _ key: String, _ bytes: [UInt8]
    ) throws(DamagedRecord) {
        var reader = ByteReader(bytes)
        do throws(ByteReader.Damage) {
            try restore(kind, key, &reader)
            guard reader.isAtEnd else { throw ByteReader.Damage() }
        } catch { throw DamagedRecord(key: "\(kind.rawValue) \(key)") }
    }

    private mutating func restore(
        _ kind: ReceiverRecord.Kind, _ key: String, _ reader: inout ByteReader
    ) throws(ByteReader.Damage) {
        switch kind {
        case .client:
            guard let id = UInt64(key) else { throw ByteReader.Damage() }
            google.restore(try ReceiverBook.Client(from: &reader), id)
        case .registration:
            google.restore(try Registration(from: &reader), key)
        case .ended: _ = google.deleted.insert(key)
        case .endedSubscription: _ = mozilla.deleted.insert(key)
        case .agent: mozilla.restore(AutopushBook.Client(), key)
        case .subscription: mozilla.restore(try AutopushBook.Subscription(from: &reader), key)
        case .installation: firebase.restore(try FirebaseBook.Installation(from: &reader), key)
        case .firebase:
            let registration = try FirebaseRegistration(from: &reader)
            guard registration.token == key else { throw ByteReader.Damage() }
            firebase.restore(registration)
        case .push: break
        }
    }

    private mutating func restore(_ push: WaitingPush, _ owner: String) {
        if let client = UInt64(owner), google.clients[client] != nil {
            google.restore(push, for: client)
        } else {
            mozilla.restore(push, for: owner)
        }
    }
}

extension ReceiverBook.Client: SavedValue {
    func write(to writer: inout ByteWriter) {
        writer.number(token)
        writer.text(host)
    }

    init(from reader: inout ByteReader) throws(ByteReader.Damage) {
        self.init(token: try reader.number(), host: try reader.text())
    }
}

extension AutopushBook.Subscription: SavedValue {
    func write(to writer: inout ByteWriter) {
        writer.text(client)
        writer.text(channel)
        writer.byteArray(key ?? [])
    }

    init(from reader: inout ByteReader) throws(ByteReader.Damage) {
        (client, channel) = (try reader.text(), try reader.text())
        let key = try reader.byteArray()
        self.key = key.isEmpty ? nil : key
    }
}

extension FirebaseBook.Installation: SavedValue {
    func write(to writer: inout ByteWriter) {
        writer.text(app)
        writer.text(refreshToken)
    }

    init(from reader: inout ByteReader) throws(ByteReader.Damage) {
        self.init(app: try reader.text(), refreshToken: try reader.text())
    }
}

extension FirebaseRegistration: SavedValue {
    package func write(to writer: inout ByteWriter) {
        for text in [token, subscription, installation] { writer.text(text) }
        writer.byteArray(key)
        writer.byteArray(secret)
    }

    package init(from reader: inout ByteReader) throws(ByteReader.Damage) {
        (token, subscription, installation) = (try reader.text(), try reader.text(), try reader.text())
        (key, secret) = (try reader.byteArray(), try reader.byteArray())
    }
}

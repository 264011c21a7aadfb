internal import APNs
internal import Devices
internal import Faults
package import PushCore
internal import Receivers

/// Which records have changed, what they contain, and how they are restored. `bytes(of:)` and `restore` have one case
/// for each kind.
extension PushEngine {
    /// The number of changes that are not in the event log. If neither this nor `events.newest` has changed, there is
    /// nothing to save.
    package var changeCount: UInt64 { changes.count + faults.changes.count + realReceivers.changeCount }

    /// Saves the clock's setting; nil if it is the system's.
    package mutating func saveClock(_ setting: ClockSetting?) {
        clockSetting = setting
        changes.note(.clock, "")
    }

    /// The bytes of a record; nil if it does not exist any more.
    private func bytes(of record: RecordID) -> [UInt8]? {
        let key = record.key
        return switch record.kind {
        case .channel: ChannelRegistry.Key(text: key).flatMap { channels.channel($0) }?.savedBytes
        case .fault: faults[key]?.savedBytes
        case .faultCount: faults.count(forKey: key)?.savedBytes
        case .media: media[key]?.savedBytes
        case .apnsKey: addedCredentials.keys[key]?.savedBytes
        case .serviceAccount: addedCredentials.accounts[key]?.savedBytes
        case .clock: clockSetting?.savedBytes
        case .latePush: savedLatePush(key)?.savedBytes
        case .latePushProgress: latePushProgress(key)?.savedBytes
        case .receiver: realReceivers.bytes(ofRecord: key)
        }
    }

    /// Restores a record. A record that depends on others is added to `rest`, which is restored last.
    private mutating func restore(
        _ record: RecordID, _ reader: inout ByteReader, _ rest: inout Rest
    ) throws(ByteReader.Damage) {
        let key = record.key
        switch record.kind {
        case .channel:
            guard let name = ChannelRegistry.Key(text: key) else { throw ByteReader.Damage() }
            channels.restore(try ChannelRegistry.Channel(from: &reader), name)
        case .fault:
            let fault = try Fault(from: &reader)
            // Otherwise the record could not be deleted, and the fault would return with each restart.
            guard fault.id == key else { throw ByteReader.Damage() }
            rest.faults.append(fault)
        case .faultCount: rest.faultCounts.append((key, try reader.count()))
        case .media: media[key] = try Media(from: &reader)
        case .apnsKey:
            let added = try AddedCredentials.Key(from: &reader)
            guard added.key.id == key else { throw ByteReader.Damage() }
            addedCredentials.keys[key] = added
        case .serviceAccount: addedCredentials.accounts[key] = try AddedCredentials.Account(from: &reader)
        case .clock: clockSetting = try ClockSetting(from: &reader)
        case .latePush: rest.latePushes.append((key, try SavedLatePush(from: &reader)))
        case .latePushProgress: rest.progress[key] = try reader.count()
        case .receiver: rest.receivers.append((key, reader.takeRest()))
        }
    }

    /// Restored records that depend on others.
    private struct Rest {
        var faults: [Fault] = []
        var faultCounts: [(key: String, count: Int)] = []
        var latePushes: [(key: String, push: SavedLatePush)] = []
        var progress: [String: Int] = [:]
        var receivers: [(key: String, bytes: [UInt8])] = []
    }

    /// The records that have changed since they were last taken. A record without bytes was deleted.
    package mutating func takeUnsavedRecords() -> [(kind: String, key: String, bytes: [UInt8]?)] {
        let receivers = realReceivers.takeUnsaved().map { RecordID(kind: .receiver, key: $0) }
        return (changes.take().union(faults.changes.take()) + receivers).map {
            ($0.kind.rawValue, $0.key, bytes(of: $0))
        }
    }

    /// Adds these records to the next batch again, because their batch could not be written.
    package mutating func markUnsaved(records: [(kind: String, key: String)]) {
        for (kind, key) in records {
            guard let kind = RecordKind(rawValue: kind) else { continue }
            if kind == .receiver {
                realReceivers.addUnsaved(key)
            } else {
                changes.addUnsaved(RecordID(kind: kind, key: key))
            }
        }
    }

    /// From now on, collects changed records. Restored late pushes count as changed, because devices that are done or
    /// were deleted are no longer in their lists.
    mutating func startCollectingRecords() {
        changes.isCollecting = true
        faults.changes.isCollecting = true
        realReceivers.isCollecting = true
        for key in latePushes.keys {
            changes.note(.latePush, key)
            changes.note(.latePushProgress, key)
        }
    }

    /// Restores saved records into a new engine that has its devices already.
    mutating func restore(_ records: [(kind: String, key: String, bytes: [UInt8])], newestFault: Int)
        throws(EngineSnapshot.Damage)
    {
        var rest = Rest()
        for record in records {
            guard let kind = RecordKind(rawValue: record.kind) else {
                throw EngineSnapshot.Damage(
                    reason: "it contains '\(record.kind)' records, which only a newer Pushpit can read")
            }
            var reader = ByteReader(record.bytes)
            do throws(ByteReader.Damage) {
                try restore(RecordID(kind: kind, key: record.key), &reader, &rest)
                guard reader.isAtEnd else { throw ByteReader.Damage() }
            } catch { throw EngineSnapshot.Damage(kind, record.key) }
        }
        for key in addedCredentials.keys.values { allow(key.key.id, key.key) }
        restoreSubscribers()
        do throws(RealReceivers.DamagedRecord) { try realReceivers.restore(rest.receivers) } catch {
            throw EngineSnapshot.Damage(.receiver, error.key)
        }
        guard faults.restore(rest.faults, rest.faultCounts, newest: newestFault) else {
            throw EngineSnapshot.Damage(.fault)
        }
        do throws(ByteReader.Damage) {
            // At equal times, the older push comes first.
            let inOrder = rest.latePushes.sorted { ($0.push.due, $0.push.id.number) < ($1.push.due, $1.push.id.number) }
            for (key, push) in inOrder { try restore(push, key, done: rest.progress[key] ?? 0) }
        } catch { throw EngineSnapshot.Damage(.latePush) }
    }

    /// Subscribes the restored devices to their channels, oldest device first.
    private mutating func restoreSubscribers() {
        for slot in devices.oldestFirst {
            for channel in devices[slot].channels {
                _ = channels.subscribe(
                    channel, of: devices.app(at: slot), in: devices[slot].environment, devices.id(at: slot))
            }
        }
    }
}

extension EngineSnapshot.Damage {
    /// - Parameter key: the key of the damaged record; nil if several records do not fit together.
    fileprivate init(_ kind: RecordKind, _ key: String? = nil) {
        let name = key.map { " with the key '\($0.prefix(80))'" } ?? ""
        self.init(reason: "it contains a damaged '\(kind.rawValue)' record\(name)")
    }
}

internal import Devices
internal import FCM
internal import Faults
internal import HTTPCore
internal import JSON
package import PushCore

/// Saving and restoring the engine's state.
extension PushEngine {
    /// The state to save in addition to events, devices, tracking and records.
    package var counters: [(name: String, value: Int64)] {
        // `mint` is the seed of the ids; saved files use this older name.
        [
            ("pushes", Int64(clamping: lastRequestNumber)), ("mint", Int64(bitPattern: idGenerator.seed)),
            ("hits", Int64(tracking.total)), ("seq", Int64(clamping: events.newest)),
            ("faults", Int64(faults.lastNumber)),
        ]
    }

    /// From now on, the engine remembers which devices, tracking hits and records have changed since they were last
    /// taken.
    package mutating func startCollectingChanges() {
        _ = events.takeChangedDevices()
        events.collectsChangedDevices = true
        startCollectingRecords()
    }

    /// The devices that have changed, in order of age, so that they are listed in the same order after a restart.
    package mutating func takeUnsavedDevices() -> [DeviceID] {
        let changed = events.takeChangedDevices().map { id in
            (age: devices.slot(of: id).map { devices.reference(to: $0).generation } ?? .max, id: id)
        }
        return changed.sorted { $0.age < $1.age }.map(\.id)
    }

    /// Devices as they are now. A device without bytes was deleted.
    package func encodedDevices(_ ids: some Sequence<DeviceID>) -> [(id: String, bytes: [UInt8]?)] {
        ids.map { id in
            (id: id.description, bytes: devices.slot(of: id).map { devices.encoded($0) })
        }
    }

    /// The rows of the tracking book that have changed: the hits after the first `count`, and changed pushes. A row without bytes was deleted.
    package mutating func takeUnsavedTracking(since count: Int) -> [(key: String, bytes: [UInt8]?)] {
        tracking.takeUnsaved(since: count)
    }

    /// The number of tracking hits so far.
    package var trackingTotal: Int { tracking.total }

    /// Adds these devices and tracking rows to the next batch again, because their batch could not be written.
    package mutating func markUnsaved(devices: [String], tracking keys: [String]) {
        for id in devices { events.addChanged(DeviceID(id)) }
        for key in keys where key.hasPrefix("p") {
            if let number = UInt64(key.dropFirst()) { tracking.unsaved.insert(PushID(number)) }
        }
    }

    /// Restores a snapshot into a new engine.
    package mutating func restore(_ snapshot: EngineSnapshot) throws(EngineSnapshot.Damage) {
        var accepted: [PushID: UInt64] = [:]
        var lastDeviceNumber = 0
        do throws(ByteReader.Damage) {
            for piece in snapshot.events { try restore(piece, to: nil, &accepted, &lastDeviceNumber) }
            for piece in snapshot.refused { try restore(piece, to: .refused, &accepted, &lastDeviceNumber) }
        } catch {
            throw EngineSnapshot.Damage(reason: "it contains a damaged event")
        }
        func counter(_ name: String, upTo limit: UInt64 = Self.largestCounter) throws(EngineSnapshot.Damage) -> UInt64 {
            let value = snapshot.counters[name] ?? 0
            guard value >= 0, value <= limit else {
                throw EngineSnapshot.Damage(
                    reason: "the number '\(name)' is \(value), which is not between 0 and \(limit)")
            }
            return UInt64(value)
        }
        events.skip(to: try counter("seq"))
        lastRequestNumber = max(lastRequestNumber, try counter("pushes"))
        if let seed = snapshot.counters["mint"] { idGenerator = IDGenerator(seed: UInt64(bitPattern: seed)) }
        // Moved out of the engine for the loop, because the closure calls the engine for the content of pushes.
        var registry = DeviceRegistry(capacity: 0)
        swap(&registry, &devices)
        for (index, bytes) in snapshot.devices.enumerated() {
            let isGood = registry.restore(bytes) { push, platform in content(of: push, for: platform, accepted) }
            guard isGood else {
                throw EngineSnapshot.Damage(
                    reason: "it contains a damaged device (number \(index + 1) of \(snapshot.devices.count))")
            }
        }
        swap(&registry, &devices)
        devices.skipIDs(upTo: lastDeviceNumber)
        for slot in devices.slots {
            if let due = devices[slot].nextDue(after: Timestamp(milliseconds: -1)) { requestWake(of: slot, at: due) }
        }
        restoreSubscriptions()
        let hits = Int(try counter("hits"))
        do throws(TrackingBook.DamagedRow) { try tracking.restore(snapshot.tracking, total: hits) } catch {
            throw EngineSnapshot.Damage(
                reason: "it contains a damaged tracking row with the key '\(error.key.prefix(80))'")
        }
        try restore(snapshot.records, newestFault: Int(try counter("faults", upTo: UInt64(Fault.largestNumber))))
    }

    /// Restores a piece of the event log.
    ///
    /// - Parameters:
    ///   - part: the part of the log that the piece belongs to; nil if the kind of each event decides.
    ///   - accepted: gets the numbers of the events of accepted pushes.
    ///   - lastDeviceNumber: gets the largest number in an id that the gateway gave to a device.
    private mutating func restore(
        _ piece: [UInt8], to part: EventLog.Part?, _ accepted: inout [PushID: UInt64], _ lastDeviceNumber: inout Int
    ) throws(ByteReader.Damage) {
        var reader = ByteReader(piece)
        while !reader.isAtEnd {
            let stored = try Event.read(from: &reader)
            guard stored.event.seq <= Self.largestCounter, stored.event.push?.number ?? 0 <= Self.largestCounter
            else { throw ByteReader.Damage() }
            if part == .refused, stored.event.kind != .refused, stored.event.kind != .fault {
                throw ByteReader.Damage()
            }
            if stored.record != nil, let push = stored.event.push, stored.event.kind == .accepted {
                accepted[push] = stored.event.seq
            }
            guard events.restore(try withContent(stored, accepted), to: part) else { throw ByteReader.Damage() }
            lastRequestNumber = max(lastRequestNumber, stored.event.push?.number ?? 0)
            // The log may still tell of a device that was deleted, so its id is not given again.
            if let id = stored.event.device { lastDeviceNumber = max(lastDeviceNumber, id.number) }
        }
    }

    /// The largest event number or push number that is accepted from a file. It leaves room for counting without an
    /// overflow.
    private static let largestCounter = PushID.largestSaved

    /// Adds the push's content to an event that shows a notification.
    private mutating func withContent(_ stored: Event.Saved, _ accepted: [PushID: UInt64]) throws(ByteReader.Damage)
        -> Event.Saved
    {
        guard let bytes = stored.object else { return stored }
        var reader = ByteReader(bytes)
        let shown = try ShownNotification.read(
            from: &reader,
            content: { platform in stored.event.push.flatMap { content(of: $0, for: platform, accepted) } })
        return stored.with(shown.map { .object($0) } ?? .none)
    }

    /// The content of a push for its app; nil if the log no longer has the push.
    private mutating func content(of push: PushID, for platform: Device.Platform, _ accepted: [PushID: UInt64])
        -> PushContent?
    {
        guard let seq = accepted[push], let event = events.event(seq), case .push(let record) = event.detail,
            let request = events.request(at: record.request)
        else { return nil }
        return rendered(request.body, record.provider).content(for: platform)
    }
}

internal import HTTPCore
internal import Devices
internal import FCM
internal import JSON
internal import PushCore

/// Saving the engine's state, and restoring it.
extension PushEngine {
    /// Beside events, devices and tracking.
    package var counters: [(name: String, value: Int64)] {
        [
            ("pushes", Int64(clamping: pushes)), ("mint", Int64(bitPattern: idGenerator.seed)),
            ("hits", Int64(tracking.total)), ("seq", Int64(clamping: events.newest)),
        ]
    }

    /// From now on the engine remembers which devices and hits have changed since they were last taken.
    package mutating func startNotingChanges() {
        _ = events.takeChangedDevices()
        events.notesDevices = true
    }

    /// Devices that have changed; the ones without bytes are gone.
    package mutating func takeUnsavedDevices() -> [(id: String, bytes: [UInt8]?)] {
        events.takeChangedDevices().map { id in (id.description, devices.place(of: id).map { devices.keep($0) }) }
    }

    /// Rows of the tracking book that have changed since `count` hits had come; the ones without bytes are gone.
    package mutating func takeUnsavedTracking(since count: Int) -> [(key: String, bytes: [UInt8]?)] {
        tracking.takeUnsaved(since: count)
    }

    /// How many tracking hits have come so far.
    package var trackingTotal: Int { tracking.total }

    /// A batch with these was not written: they belong into the next one.
    package mutating func markUnsaved(devices: [String], tracking keys: [String]) {
        for id in devices { events.addChanged(DeviceID(id)) }
        for key in keys where key.hasPrefix("p") {
            if let number = UInt64(key.dropFirst()) { tracking.unsaved.insert(PushID(number)) }
        }
    }

    package mutating func restore(_ snapshot: EngineSnapshot) throws(EngineSnapshot.Damage) {
        var accepted: [PushID: UInt64] = [:]
        do throws(ByteReader.Damage) {
            for piece in snapshot.events {
                var reader = ByteReader(piece)
                while !reader.isAtEnd {
                    let kept = try Event.read(from: &reader)
                    guard kept.seq > events.newest else { throw ByteReader.Damage() }
                    if kept.record != nil, let push = kept.push, kept.kind == .accepted { accepted[push] = kept.seq }
                    let event = try whole(kept, accepted)
                    events.restore(event)
                    pushes = max(pushes, kept.push?.number ?? 0)
                }
            }
        } catch {
            throw EngineSnapshot.Damage(reason: "an event in it is damaged")
        }
        events.skip(to: UInt64(max(0, snapshot.counters["seq"] ?? 0)))
        pushes = max(pushes, UInt64(max(0, snapshot.counters["pushes"] ?? 0)))
        if let seed = snapshot.counters["mint"] { idGenerator = IDGenerator(seed: UInt64(bitPattern: seed)) }
        // Taken out meanwhile: what their pushes are for their apps is the engine's to say.
        var registry = DeviceRegistry(capacity: 0)
        swap(&registry, &devices)
        for bytes in snapshot.devices {
            let isGood = registry.restore(bytes) { push, platform in content(of: push, for: platform, accepted) }
            guard isGood else {
                throw EngineSnapshot.Damage(reason: "a device in it is damaged")
            }
        }
        swap(&registry, &devices)
        for place in devices.places {
            for push in devices[place].waiting {
                if case .throttled(let end) = push.obstacle {
                    wakes.append((due: end, device: devices.reference(to: place)))
                }
            }
            for due in devices[place].phone.activityMoments {
                wakes.append((due: due, device: devices.reference(to: place)))
            }
        }
        tracking.restore(snapshot.tracking, total: Int(clamping: snapshot.counters["hits"] ?? 0))
    }

    /// What came up of a push is told by the push.
    private mutating func whole(_ kept: Event.Kept, _ accepted: [PushID: UInt64]) throws(ByteReader.Damage)
        -> Event.Kept
    {
        guard let bytes = kept.object else { return kept }
        var reader = ByteReader(bytes)
        let shown = try Shown.read(
            from: &reader, content: { platform in kept.push.flatMap { content(of: $0, for: platform, accepted) } })
        return kept.with(shown.map { .object($0) } ?? .none)
    }

    /// What a push is for its app, as far as the log has it still.
    private mutating func content(of push: PushID, for platform: Device.Platform, _ accepted: [PushID: UInt64])
        -> PushContent?
    {
        guard let seq = accepted[push], let event = events.event(seq), case .push(let record) = event.detail,
            let request = events.request(at: record.request)
        else { return nil }
        return rendered(request.body, record.provider).content(for: platform)
    }
}

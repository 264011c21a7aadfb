internal import Devices
internal import FCM
internal import JSON
internal import PushCore
internal import Storage

/// What a engine was when it was last kept.
extension PushEngine {
    /// Beside events, devices and tracking.
    var counters: [(name: String, value: Int64)] {
        [
            ("pushes", Int64(clamping: pushes)), ("mint", Int64(bitPattern: idGenerator.seed)),
            ("hits", Int64(tracking.total)), ("seq", Int64(clamping: events.newest)),
        ]
    }

    mutating func restore(_ contents: Store.Contents, path: String) throws(StorageError) {
        var accepted: [PushID: UInt64] = [:]
        do throws(ByteReader.Damage) {
            for piece in contents.events {
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
            throw StorageError("read", path, because: "an event in it is damaged; move the file away to begin anew")
        }
        events.skip(to: UInt64(max(0, contents.numbers["seq"] ?? 0)))
        pushes = max(pushes, UInt64(max(0, contents.numbers["pushes"] ?? 0)))
        if let seed = contents.numbers["mint"] { idGenerator = IDGenerator(seed: UInt64(bitPattern: seed)) }
        // Taken out meanwhile: what their pushes are for their apps is the engine's to say.
        var registry = DeviceRegistry(capacity: 0)
        swap(&registry, &devices)
        for bytes in contents.devices {
            let isGood = registry.restore(bytes) { push, platform in content(of: push, for: platform, accepted) }
            guard isGood else {
                throw StorageError("read", path, because: "a device in it is damaged; move the file away to begin anew")
            }
        }
        swap(&registry, &devices)
        for place in devices.places {
            for push in devices[place].waiting {
                if case .throttled(let end) = push.obstacle { wakes.append((due: end, place: place)) }
            }
            for due in devices[place].phone.activityMoments { wakes.append((due: due, place: place)) }
        }
        tracking.restore(contents.tracking, total: Int(clamping: contents.numbers["hits"] ?? 0))
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
        return content(
            of: Delivery(request: request, name: record.name, sent: event.time), for: platform, at: event.time)
    }
}

extension TrackingBook {
    /// The hits behind the first `count`, and the pushes that have changed, each under a key.
    mutating func takeUnsaved(since count: Int) -> [(key: String, bytes: [UInt8]?)] {
        var rows: [(key: String, bytes: [UInt8]?)] = []
        for (index, hit) in hits.suffix(max(0, total - count)).enumerated() {
            let number = total - min(hits.count, total - count) + index
            rows.append(("h\(number)", bytes { hit.keep(to: &$0) }))
            if number >= Self.capacity { rows.append(("h\(number - Self.capacity)", nil)) }
        }
        for push in unsaved {
            rows.append((push.description, tracked[push].map { tracked in bytes { tracked.keep(to: &$0) } }))
        }
        unsaved = []
        return rows
    }

    private func bytes(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter()
        json.object(body)
        return json.finish()
    }

    mutating func restore(_ rows: [(key: String, bytes: [UInt8])], total: Int) {
        for (key, bytes) in rows {
            guard let json = (try? JSONDocument(parsing: bytes))?.root else { continue }
            if key.hasPrefix("h") {
                restore(Hit(kept: json))
            } else if let push = UInt64(key.dropFirst()) {
                restore(Tracked(kept: json, PushID(push)))
            }
        }
        self.total = max(total, hits.count)
    }
}

extension TrackingBook.Hit {
    fileprivate func keep(to json: inout JSONWriter) {
        json.member("time", time.milliseconds)
        json.member("action", action)
        json.member("broadlog", broadlog)
        json.member("delivery", delivery)
        json.member("ecid", ecid)
        json.member("push", push?.number)
        json.member("flags", flags.map(\.rawValue))
    }

    fileprivate init(kept json: JSONView) {
        self.init(
            time: Timestamp(milliseconds: json["time"]?.int64 ?? 0), action: json["action"]?.string ?? "",
            broadlog: json["broadlog"]?.string ?? "",
            delivery: json["delivery"]?.string ?? "", ecid: json["ecid"]?.string ?? "",
            push: json["push"]?.uint64.map { PushID($0) },
            flags: json["flags"]?.elements.compactMap { $0.string.flatMap(TrackingBook.Flag.init) } ?? [])
    }
}

extension TrackingBook.Tracked {
    fileprivate func keep(to json: inout JSONWriter) {
        json.member("broadlog", key?.broadlog)
        json.member("delivery", key?.delivery)
        json.member("expected", expected)
        json.member("reported", reported)
        json.member("why", why)
    }

    fileprivate init(kept json: JSONView, _ push: PushID) {
        let key = json["broadlog"]?.string.flatMap { broadlog in
            json["delivery"]?.string.map { TrackingBook.Key(broadlog: broadlog, delivery: $0) }
        }
        self.init(
            push: push, key: key, expected: json["expected"]?.elements.compactMap(\.string) ?? [],
            reported: json["reported"]?.elements.compactMap(\.string) ?? [], why: json["why"]?.string)
    }
}

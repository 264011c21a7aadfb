package import HTTPCore

/// Every event in order, the newest kept: by count, and by the bytes of the requests among them.
package struct EventLog: Sendable {
    private let capacity: Int
    private let byteCapacity: Int
    /// A ring that grows to `capacity` places: event `seq` is at `(seq - 1) % capacity`.
    private var ring: [Event?] = []
    private var arena = RequestArena()
    /// What each event of the ring keeps in the arena, 0 for nothing: beside them, so that forgetting one copies little.
    private var kept: [(segment: Int, size: Int)] = []
    package private(set) var count = 0
    /// Whether somebody wants to know whose devices events are about, and which they were since he asked.
    package var notesDevices = false
    private var changed: Set<DeviceID> = []
    private var bytes = 0
    /// The number of the newest event; 0 before the first.
    package private(set) var newest: UInt64 = 0
    /// The places of the next event and of the oldest: counted on, as a division for each takes longer than the rest.
    private var nextPlace = 0
    private var oldest = 0

    package init(capacity: Int, byteCapacity: Int) {
        self.capacity = capacity
        self.byteCapacity = byteCapacity
    }

    /// Returns the event's number.
    ///
    /// - Parameter request: where what the event keeps in the log's memory lies.
    @discardableResult package mutating func append(
        _ kind: Event.Kind, at time: Timestamp, app: consuming String, device: consuming DeviceID? = nil,
        push: PushID? = nil,
        why: consuming RuleID? = nil, detail: consuming Event.Detail = .none, keeping request: RequestPlace? = nil
    ) -> UInt64 {
        append(next(kind, at: time, app: app, device: device, push: push, why: why, detail: detail), keeping: request)
        return newest
    }

    /// An event as it will be in the log, for who wants to look at it before.
    package func next(
        _ kind: Event.Kind, at time: Timestamp, app: consuming String, device: consuming DeviceID? = nil,
        push: PushID? = nil,
        why: consuming RuleID? = nil, detail: consuming Event.Detail = .none
    ) -> Event {
        Event(seq: newest + 1, time: time, kind: kind, app: app, device: device, push: push, why: why, detail: detail)
    }

    /// - Parameter event: `next`.
    package mutating func append(_ event: consuming Event, keeping request: RequestPlace? = nil) {
        precondition(event.seq == newest + 1, "event \(event.seq) comes after \(newest)")
        // The place of the one forgotten is the new one's.
        if count == capacity { forgetOldest() }
        newest += 1
        if notesDevices, let device = event.device { changed.insert(device) }
        let place = nextPlace
        nextPlace = after(place)
        if place == ring.count {
            ring.append(nil)
            kept.append((0, 0))
        }
        kept[place] = request.map { ($0.segment, $0.size) } ?? (0, 0)
        bytes += request?.size ?? 0
        ring[place] = event
        count += 1
        while bytes > byteCapacity && count > 1 { ring[forgetOldest()] = nil }
    }

    /// Takes back what was kept of an event, under its old number; the numbers between stay empty.
    package mutating func restore(_ kept: Event.Kept) {
        precondition(kept.seq > newest, "event \(kept.seq) comes after \(newest)")
        // Nothing before the first was ever here, and behind a long gap nothing is left.
        if count == 0 || kept.seq - newest > UInt64(capacity) { startAt(kept.seq) }
        while newest + 1 < kept.seq { appendNothing() }
        guard let record = kept.record else {
            append(
                kept.kind, at: kept.time, app: kept.app, device: kept.device, push: kept.push, why: kept.why,
                detail: kept.detail)
            return
        }
        let place = arena.keep(record.request)
        append(
            kept.kind, at: kept.time, app: kept.app, device: kept.device, push: kept.push, why: kept.why,
            detail: .push(record.record(keptAt: place)), keeping: place)
    }

    /// Nothing that comes has a number up to this one: those were others' before.
    package mutating func skip(to seq: UInt64) {
        guard seq > newest else { return }
        if count == 0 || seq - newest > UInt64(capacity) { return startAt(seq + 1) }
        while newest < seq { appendNothing() }
    }

    private mutating func startAt(_ seq: UInt64) {
        (count, bytes, arena) = (0, 0, RequestArena())
        newest = seq - 1
        let place = Int(newest % UInt64(capacity))
        (nextPlace, oldest) = (place, place)
        ring = Array(repeating: nil, count: place)
        kept = Array(repeating: (0, 0), count: place)
    }

    private mutating func appendNothing() {
        append(.state, at: Timestamp(milliseconds: 0), app: "")
        ring[place(of: newest)] = nil
    }

    /// Keeps a request for an event that is about to be appended.
    package mutating func keep(_ request: Request) -> RequestPlace { arena.keep(request) }

    /// A request as it came; nil once its event is forgotten.
    package func request(at place: RequestPlace) -> Request? { arena[place] }

    /// The events after that number that are still kept. A reader that asks for older ones sees a gap.
    package func events(after seq: UInt64) -> [Event] {
        let oldest = newest - UInt64(count)
        guard max(seq, oldest) < newest else { return [] }
        return (max(seq, oldest) + 1...newest).compactMap { ring[place(of: $0)] }
    }

    /// The event of that number; nil where it is forgotten.
    package func event(_ seq: UInt64) -> Event? {
        seq <= newest && seq > newest - UInt64(count) ? ring[place(of: seq)] : nil
    }

    /// Appends events that are still there as they are kept on a disk, with their requests.
    package func write(_ range: ClosedRange<UInt64>, to writer: inout ByteWriter) {
        guard count > 0 else { return }
        var last: RequestPlace?
        var seq = max(range.lowerBound, newest - UInt64(count) + 1)
        while seq <= min(range.upperBound, newest) {
            ring[place(of: seq)]?.write(to: &writer, arena, after: &last)
            seq += 1
        }
    }

    /// Forgets what happened before that moment; true where there was any.
    package mutating func forget(before moment: Timestamp) -> Bool {
        var hasForgotten = false
        while count > 0, ring[oldest].map({ $0.time < moment }) ?? true {
            ring[forgetOldest()] = nil
            hasForgotten = true
        }
        return hasForgotten
    }

    /// The devices that something has happened to since the last call, whether the log has it still or not.
    package mutating func takeChangedDevices() -> Set<DeviceID> {
        defer { changed = [] }
        return changed
    }

    package mutating func addChanged(_ device: DeviceID) { changed.insert(device) }

    /// Takes events out before their time; their numbers stay empty.
    package mutating func forget(where isMeant: (Event) -> Bool) {
        for place in ring.indices {
            guard let event = ring[place], isMeant(event) else { continue }
            ring[place] = nil
            bytes -= kept[place].size
            kept[place] = (kept[place].segment, 0)
        }
    }

    /// Returns the place it had.
    @discardableResult private mutating func forgetOldest() -> Int {
        let place = oldest
        oldest = after(place)
        if kept[place].size > 0 {
            bytes -= kept[place].size
            arena.forget(before: kept[place].segment)
        }
        count -= 1
        return place
    }

    private func after(_ place: Int) -> Int { place + 1 == capacity ? 0 : place + 1 }

    private func place(of seq: UInt64) -> Int { Int((seq - 1) % UInt64(capacity)) }
}

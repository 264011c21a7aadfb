package import HTTPCore

/// The newest events in order.
///
/// Two limits decide how many are kept: their count, and the bytes of the requests that they refer to.
package struct EventLog: Sendable {
    private let capacity: Int
    private let byteCapacity: Int
    /// A ring that grows to `capacity` entries: event `seq` is at index `(seq - 1) % capacity`.
    private var ring: [Event?] = []
    private var arena = RequestArena()
    /// For each event of the ring, how many bytes its request takes in the arena (0 for none), and in which segment.
    /// They are stored outside the events so that forgetting an event copies little.
    private var kept: [(segment: Int, size: Int)] = []
    package private(set) var count = 0
    /// Whether to collect the devices that events are about, for `takeChangedDevices`.
    package var collectsChangedDevices = false
    private var changed: Set<DeviceID> = []
    private var bytes = 0
    /// The number of the newest event; 0 before the first.
    package private(set) var newest: UInt64 = 0
    /// The ring indices of the next event and of the oldest one. They are incremented, because computing them by
    /// division would take longer than the rest of `append`.
    private var nextIndex = 0
    private var oldest = 0

    package init(capacity: Int, byteCapacity: Int) {
        self.capacity = capacity
        self.byteCapacity = byteCapacity
    }

    /// Appends an event that refers to no request. Returns its number.
    @discardableResult package mutating func append(
        _ kind: Event.Kind, at time: Timestamp, about subject: consuming Event.Subject, why: consuming RuleID? = nil,
        detail: consuming Event.Detail = .none
    ) -> UInt64 {
        append(next(kind, at: time, about: subject, why: why, detail: detail))
        return newest
    }

    /// The event that would be appended next, for a caller that needs it before it is in the log.
    package func next(
        _ kind: Event.Kind, at time: Timestamp, about subject: consuming Event.Subject, why: consuming RuleID? = nil,
        detail: consuming Event.Detail = .none
    ) -> Event {
        Event(
            seq: newest + 1, time: time, kind: kind, app: subject.app, device: subject.device, push: subject.push,
            why: why, detail: detail)
    }

    /// - Parameters:
    ///   - event: must have the next number, as `next` makes it.
    ///   - request: the request that the event refers to, if any. The log keeps it as long as the event.
    package mutating func append(_ event: consuming Event, keeping request: RequestHandle? = nil) {
        precondition(event.seq == newest + 1, "event \(event.seq) comes after \(newest)")
        // Forgetting the oldest event frees exactly the entry that the new one needs.
        if count == capacity { forgetOldest() }
        newest += 1
        if collectsChangedDevices, let device = event.device { changed.insert(device) }
        let index = nextIndex
        nextIndex = indexAfter(index)
        if index == ring.count {
            ring.append(nil)
            kept.append((0, 0))
        }
        kept[index] = request.map { ($0.segment, $0.size) } ?? (0, 0)
        bytes += request?.size ?? 0
        ring[index] = event
        count += 1
        while bytes > byteCapacity && count > 1 { ring[forgetOldest()] = nil }
    }

    /// Appends an event from the disk under its old number. Numbers that are skipped have no event.
    package mutating func restore(_ kept: Event.Saved) {
        let seq = kept.event.seq
        precondition(seq > newest, "event \(seq) comes after \(newest)")
        // A gap is filled with empty entries. If the gap is larger than the log, or if the log is empty, the log is
        // emptied and starts at this number instead.
        if count == 0 || seq - newest > UInt64(capacity) { restart(at: seq) }
        while newest + 1 < seq { appendEmpty() }
        guard let record = kept.record else { return append(kept.event) }
        let place = arena.store(record.request)
        append(kept.event.with(.push(record.record(storedAt: place))), keeping: place)
    }

    /// Makes the number of the next event larger than `seq`, because the numbers up to `seq` were used before.
    package mutating func skip(to seq: UInt64) {
        guard seq > newest else { return }
        if count == 0 || seq - newest > UInt64(capacity) { return restart(at: seq + 1) }
        while newest < seq { appendEmpty() }
    }

    private mutating func restart(at seq: UInt64) {
        (count, bytes, arena) = (0, 0, RequestArena())
        newest = seq - 1
        let index = Int(newest % UInt64(capacity))
        (nextIndex, oldest) = (index, index)
        ring = Array(repeating: nil, count: index)
        kept = Array(repeating: (0, 0), count: index)
    }

    private mutating func appendEmpty() {
        append(.state, at: Timestamp(milliseconds: 0), about: Event.Subject())
        ring[index(of: newest)] = nil
    }

    /// Stores a request for an event that is about to be appended.
    package mutating func store(_ push: borrowing PushContext) -> RequestHandle { arena.store(push.request) }

    /// A request as it was received; nil if the log has forgotten it.
    package func request(at handle: RequestHandle) -> Request? { arena[handle] }

    /// The body of a request, without a copy; nil if the log has forgotten it.
    package func body(at handle: RequestHandle) -> ArraySlice<UInt8>? { arena.view(handle)?.body }

    /// The events after that number that are still in the log. Events that the log has forgotten are missing.
    package func events(after seq: UInt64) -> [Event] {
        let oldest = newest - UInt64(count)
        guard max(seq, oldest) < newest else { return [] }
        return (max(seq, oldest) + 1...newest).compactMap { ring[index(of: $0)] }
    }

    /// The event with that number; nil if it is forgotten or does not exist.
    package func event(_ seq: UInt64) -> Event? {
        seq <= newest && seq > newest - UInt64(count) ? ring[index(of: seq)] : nil
    }

    /// Replaces the push record in the newest event up to `seq` that has one.
    package mutating func changeRecord(upTo seq: UInt64, _ change: (PushRecord) -> PushRecord) {
        var seq = seq
        while let event = event(seq) {
            if case .push(let record) = event.detail {
                ring[index(of: seq)] = event.with(.push(change(record)))
                return
            }
            seq -= 1
        }
    }

    /// Encodes the events of a range that are still in the log, with their requests, for storage on disk.
    package func write(_ range: ClosedRange<UInt64>, to writer: inout ByteWriter) {
        guard count > 0 else { return }
        var last: RequestHandle?
        var seq = max(range.lowerBound, newest - UInt64(count) + 1)
        while seq <= min(range.upperBound, newest) {
            ring[index(of: seq)]?.write(to: &writer, arena, after: &last)
            seq += 1
        }
    }

    /// Forgets the events before that time. True if there were any.
    package mutating func forget(before moment: Timestamp) -> Bool {
        var hasForgotten = false
        while count > 0, ring[oldest].map({ $0.time < moment }) ?? true {
            ring[forgetOldest()] = nil
            hasForgotten = true
        }
        return hasForgotten
    }

    /// The devices that had events since the last call, even if the log has forgotten those events.
    package mutating func takeChangedDevices() -> Set<DeviceID> {
        defer { changed = [] }
        return changed
    }

    package mutating func addChanged(_ device: DeviceID) { changed.insert(device) }

    /// Removes the events that match, wherever they are in the log. Their numbers have no event afterwards.
    package mutating func forget(where matches: (Event) -> Bool) {
        for index in ring.indices {
            guard let event = ring[index], matches(event) else { continue }
            ring[index] = nil
            bytes -= kept[index].size
            kept[index] = (kept[index].segment, 0)
        }
    }

    /// Returns the ring index of the event.
    @discardableResult private mutating func forgetOldest() -> Int {
        let index = oldest
        oldest = indexAfter(index)
        if kept[index].size > 0 {
            bytes -= kept[index].size
            arena.forget(before: kept[index].segment)
        }
        count -= 1
        return index
    }

    private func indexAfter(_ index: Int) -> Int { index + 1 == capacity ? 0 : index + 1 }

    private func index(of seq: UInt64) -> Int { Int((seq - 1) % UInt64(capacity)) }
}

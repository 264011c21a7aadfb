internal import HTTPCore
// Over 200 lines: each function needs the private members, which are always changed together.

/// The newest events of one part of the log, oldest first, with the requests that they refer to.
///
/// Two limits decide how many are kept: their count, and the bytes of their requests.
struct EventRing: Sendable {
    private let capacity: Int
    private let byteCapacity: Int
    /// Grows to `capacity` entries. The events are at the index `oldest` and those after it, which wrap around.
    var entries: [Event?] = []
    /// For each entry, the event's number, and how many bytes its request takes in the arena (0 for none) and in which
    /// segment. They are stored outside the events so that searching and forgetting read little.
    var places: [Place] = []
    var arena: RequestArena
    var count = 0
    /// How many of the events have a request.
    private(set) var pushCount = 0
    private var bytes = 0
    /// The number of the newest event that was forgotten because of a limit or its age; 0 if there was none. After a
    /// restart, the number before the oldest event that was restored.
    private(set) var forgottenUpTo: UInt64 = 0
    /// The indices of the next event and of the oldest one. They are incremented, because computing them by division
    /// would take longer than the rest of `append`.
    var nextIndex = 0
    var oldest = 0

    struct Place {
        var seq: UInt64
        var segment: UInt32
        var size: UInt32
        /// If the event was removed: this many entries after it are empty too, perhaps more.
        var emptyAfter: UInt32 = 0
    }

    init(capacity: Int, byteCapacity: Int, for part: EventLog.Part) {
        self.capacity = capacity
        self.byteCapacity = byteCapacity
        arena = RequestArena(for: part)
        // So that it is not moved while it grows, which takes many milliseconds. The system gives memory only to the
        // entries that are used.
        entries.reserveCapacity(min(capacity, Self.reserved))
        places.reserveCapacity(min(capacity, Self.reserved))
    }

    private static let reserved = 1 << 20

    /// The number of the newest event, even if it is forgotten.
    var newest: UInt64 { count == 0 ? forgottenUpTo : seq(at: count - 1) }

    /// - Parameter request: the request that the event refers to, if any. It is kept as long as the event.
    mutating func append(_ event: consuming Event, keeping request: RequestHandle?) {
        // Forgetting the oldest event frees exactly the entry that the new one needs.
        if count == capacity { forgetOldest() }
        let index = nextIndex
        nextIndex = indexAfter(index)
        var place = Place(seq: event.seq, segment: 0, size: 0)
        if let request {
            place.segment = UInt32(truncatingIfNeeded: request.segment)
            place.size = UInt32(truncatingIfNeeded: request.size)
            bytes += request.size
            pushCount += 1
        }
        if index == entries.count {
            entries.append(event)
            places.append(place)
        } else {
            entries[index] = event
            places[index] = place
        }
        count += 1
        while bytes > byteCapacity && count > 1 { entries[forgetOldest()] = nil }
    }

    /// Appends an event from the disk. False if its number is not higher than the newest.
    mutating func restore(_ saved: Event.Saved) -> Bool {
        guard saved.event.seq > newest else { return false }
        if count == 0 { begin(after: saved.event.seq - 1) }
        guard let record = saved.record else {
            append(saved.event, keeping: nil)
            return true
        }
        let place = arena.store(record.request)
        append(saved.event.with(.push(record.record(storedAt: place))), keeping: place)
        return true
    }

    /// Notes that the events up to this number are forgotten. Call it only if the ring is empty.
    mutating func begin(after seq: UInt64) { forgottenUpTo = max(forgottenUpTo, seq) }

    mutating func store(_ request: borrowing Request) -> RequestHandle { arena.store(request) }

    /// A request as it was received; nil if it is forgotten.
    func request(at handle: RequestHandle) -> Request? { arena[handle] }

    /// A request without a copy; nil if it is forgotten.
    func view(_ handle: RequestHandle) -> RequestView? { arena.view(handle) }

    /// The event with that number.
    func event(_ seq: UInt64) -> Event? {
        let position = position(after: seq)
        return position > 0 && self.seq(at: position - 1) == seq ? event(at: position - 1) : nil
    }

    /// Replaces the event with the same number; false if there is no such event. The request stays the same.
    mutating func replace(_ event: Event) -> Bool {
        let position = position(after: event.seq)
        guard position > 0, seq(at: position - 1) == event.seq else { return false }
        entries[index(at: position - 1)] = event
        return true
    }

    /// The number of the first event after that number.
    func seq(after seq: UInt64) -> UInt64? {
        var position = position(after: seq)
        while position < count, case let index = index(at: position), entries[index] == nil {
            position += 1 + Int(places[index].emptyAfter)
        }
        return position < count ? self.seq(at: position) : nil
    }

    /// The number of the first event that is about a device, after one number and up to another.
    func seq(after seq: UInt64, upTo last: UInt64, about device: DeviceID) -> UInt64? {
        let positions = position(after: seq)..<position(after: max(seq, last))
        let found = positions.first { entries[index(at: $0)]?.device == device }
        return found.map { self.seq(at: $0) }
    }

    /// The number in the `limit`th entry after that number; nil if there are fewer entries.
    func seq(_ limit: Int, after seq: UInt64) -> UInt64? {
        let position = position(after: seq) + limit - 1
        return position < count ? self.seq(at: position) : nil
    }

    /// How many events come after that number. Gaps of deleted ones count too.
    func count(after seq: UInt64) -> Int { count - position(after: seq) }

    /// The body of a request, without a copy; nil if it is forgotten.
    func body(_ handle: RequestHandle) -> ArraySlice<UInt8>? { arena.body(handle) }

    /// Encodes the events of a range, with their requests, for storage on disk.
    ///
    /// - Parameter deleted: pushes whose events are left out.
    func write(_ range: ClosedRange<UInt64>, without deleted: Set<PushID>, to writer: inout ByteWriter) {
        var last: RequestHandle?
        for position in position(after: range.lowerBound - 1)..<position(after: range.upperBound) {
            guard let event = event(at: position), event.push.map(deleted.contains) != true else { continue }
            event.write(to: &writer, arena, after: &last)
        }
    }

    /// Forgets the events before that time. True if there were any.
    mutating func forget(before moment: Timestamp) -> Bool {
        let before = count
        while count > 0, entries[oldest].map({ $0.time < moment }) ?? true { entries[forgetOldest()] = nil }
        return count < before
    }

    /// The number of segments in which requests are stored.
    var segments: Int { arena.segments }

    /// The position of the first entry after this number, counted from the oldest entry (`index(at:)` has its index).
    /// This is also how many entries have this number or a lower one. If no numbers are missing, no search is needed.
    func position(after number: UInt64) -> Int {
        guard count > 0 else { return 0 }
        let (first, last) = (seq(at: 0), seq(at: count - 1))
        if number < first { return 0 }
        if number >= last { return count }
        var low = count - Int(min(last - number, UInt64(count)))
        var high = Int(min(number - first + 1, UInt64(count)))
        while low < high {
            let middle = (low + high) / 2
            if seq(at: middle) <= number { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func seq(at position: Int) -> UInt64 { places[index(at: position)].seq }

    func event(at position: Int) -> Event? { entries[index(at: position)] }

    /// Returns the index of the event.
    @discardableResult private mutating func forgetOldest() -> Int {
        let index = oldest
        oldest = indexAfter(index)
        forgottenUpTo = places[index].seq
        if places[index].size > 0 { arena.forget(before: Int(places[index].segment)) }
        noteRemoval(of: index)
        count -= 1
        return index
    }

    mutating func noteRemoval(of index: Int) {
        guard places[index].size > 0 else { return }
        bytes -= Int(places[index].size)
        pushCount -= 1
    }

    func indexAfter(_ index: Int) -> Int { index + 1 == capacity ? 0 : index + 1 }

    func index(at position: Int) -> Int {
        let index = oldest + position
        return index < capacity ? index : index - capacity
    }
}

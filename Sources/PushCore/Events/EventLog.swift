// Over 200 lines: nearly every function works on both rings or on the log's private members.
package import HTTPCore

/// The newest events in order.
///
/// Refused pushes have a ring of their own, a fifth as large, so that no number of them removes other events.
package struct EventLog: Sendable {
    /// The parts of the log. Each has its own limits.
    package enum Part: Sendable {
        /// Accepted pushes, and what happened on devices.
        case main
        /// Refused pushes, and the faults that hit them or other requests than pushes.
        case refused
    }

    var main: EventRing
    var refused: EventRing
    /// The newest push that was refused.
    private var refusedPush: PushID?
    /// Whether to collect the devices that events are about, for `takeChangedDevices`.
    package var collectsChangedDevices = false
    private var changed: Set<DeviceID> = []
    /// The number of the newest event; 0 before the first.
    package private(set) var newest: UInt64 = 0

    /// - Parameters:
    ///   - capacity: the number of events, without those about refused pushes.
    ///   - byteCapacity: the bytes of the requests that they refer to.
    package init(capacity: Int, byteCapacity: Int) {
        main = EventRing(capacity: capacity, byteCapacity: byteCapacity, for: .main)
        refused = EventRing(
            capacity: max(1, capacity / Self.refusedShare), byteCapacity: byteCapacity / Self.refusedShare,
            for: .refused)
    }

    private static let refusedShare = 5

    /// The number of entries in the log. Deleted events leave empty entries between the others, which count too.
    package var count: Int { main.count + refused.count }
    /// The number of segments in which requests are stored.
    var segments: Int { main.segments + refused.segments }
    /// The number of pushes in the log, accepted and refused.
    package var pushCount: Int { main.pushCount + refused.pushCount }

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
    ///   - request: the request that the event refers to, if any. The log keeps it as long as the event. It decides the
    ///     part of the log; without one, the kind of event does.
    package mutating func append(_ event: consuming Event, keeping request: RequestHandle? = nil) {
        precondition(event.seq == newest + 1, "event \(event.seq) comes after \(newest)")
        newest += 1
        if collectsChangedDevices, let device = event.device { changed.insert(device) }
        switch request?.part ?? part(of: event.kind, event.push) {
        case .main: main.append(event, keeping: request)
        case .refused: appendRefused(event, keeping: request)
        }
    }

    private mutating func appendRefused(_ event: consuming Event, keeping request: RequestHandle?) {
        if event.kind == .refused { refusedPush = event.push }
        refused.append(event, keeping: request)
    }

    private func part(of kind: Event.Kind, _ push: PushID?) -> Part {
        switch kind {
        case .refused: .refused
        case .fault: push == nil || push == refusedPush ? .refused : .main
        default: .main
        }
    }

    /// Appends an event from the disk under its old number. Numbers that are skipped have no event.
    ///
    /// - Parameter part: nil for events of an older version, which saved both parts together.
    /// - Returns: false if the number is not higher than those in its part of the log.
    @discardableResult package mutating func restore(_ saved: Event.Saved, to part: Part? = nil) -> Bool {
        let seq = saved.event.seq
        switch part ?? self.part(of: saved.event.kind, saved.event.push) {
        case .main:
            guard main.restore(saved) else { return false }
        case .refused:
            guard refused.restore(saved) else { return false }
            if saved.event.kind == .refused { refusedPush = saved.event.push }
        }
        if collectsChangedDevices, let device = saved.event.device { changed.insert(device) }
        newest = max(newest, seq)
        return true
    }

    /// Makes the number of the next event larger than `seq`, because the numbers up to `seq` were used before.
    package mutating func skip(to seq: UInt64) {
        newest = max(newest, seq)
        if main.count == 0 { main.begin(after: newest) }
    }

    /// Stores a request for an event that is about to be appended.
    package mutating func store(_ push: borrowing PushContext, in part: Part = .main) -> RequestHandle {
        part == .main ? main.store(push.request) : refused.store(push.request)
    }

    /// A request as it was received; nil if the log has forgotten it.
    package func request(at handle: RequestHandle) -> Request? {
        handle.part == .main ? main.request(at: handle) : refused.request(at: handle)
    }

    /// The body of a request, without a copy; nil if the log has forgotten it.
    package func body(at handle: RequestHandle) -> ArraySlice<UInt8>? {
        handle.part == .main ? main.body(handle) : refused.body(handle)
    }

    /// The first event after that number; nil if it is the newest.
    package func event(after seq: UInt64) -> Event? {
        // Nearly always it is the next number, in the main part.
        if let event = main.event(seq + 1) { return event }
        return switch (main.seq(after: seq), refused.seq(after: seq)) {
        case (let next?, let other) where next < other ?? .max: main.event(next)
        case (_, let next?): refused.event(next)
        case (_, nil): nil
        }
    }

    /// The number of the last event in a slice of the log that begins after `seq`. In the slice, each part of the log
    /// has at most `limit` entries.
    package func end(of limit: Int, after seq: UInt64) -> UInt64 {
        min(main.seq(limit, after: seq) ?? newest, refused.seq(limit, after: seq) ?? newest)
    }

    /// The first event that is about a device, after one number and up to another.
    package func event(after seq: UInt64, upTo last: UInt64, about device: DeviceID) -> Event? {
        let inMain = main.seq(after: seq, upTo: last, about: device)
        let inRefused = refused.seq(after: seq, upTo: inMain ?? last, about: device)
        return (inRefused ?? inMain).flatMap { self.event($0) }
    }

    /// The events after that number that are still in the log. Events that the log has forgotten are missing.
    package func events(after seq: UInt64) -> [Event] {
        Array(
            sequence(state: seq) { seq in
                guard let event = event(after: seq) else { return nil }
                seq = event.seq
                return event
            })
    }

    /// The event with that number; nil if it is forgotten or does not exist.
    package func event(_ seq: UInt64) -> Event? { main.event(seq) ?? refused.event(seq) }

    /// The number up to which all events of that part are forgotten or deleted.
    package func forgottenUpTo(in part: Part) -> UInt64 {
        part == .main ? main.forgottenUpTo : refused.forgottenUpTo
    }

    /// Encodes the events of a range that are still in that part of the log, with their requests, for storage on disk.
    ///
    /// - Parameter deleted: pushes whose events are left out.
    package func write(
        _ range: ClosedRange<UInt64>, of part: Part, without deleted: Set<PushID> = [], to writer: inout ByteWriter
    ) {
        part == .main
            ? main.write(range, without: deleted, to: &writer) : refused.write(range, without: deleted, to: &writer)
    }

    /// Forgets the events before that time. True if there were any.
    package mutating func forget(before moment: Timestamp) -> Bool {
        let parts = (main.forget(before: moment), refused.forget(before: moment))
        return parts.0 || parts.1
    }

    /// The devices that had events since the last call, even if the log has forgotten those events.
    package mutating func takeChangedDevices() -> Set<DeviceID> {
        defer { changed = [] }
        return changed
    }

    package mutating func addChanged(_ device: DeviceID) { changed.insert(device) }

    /// Removes the events of a range that match. Their numbers have no event afterwards.
    package mutating func forget(in range: ClosedRange<UInt64> = 1 ... .max, where matches: (Event) -> Bool) {
        main.remove(in: range, where: matches)
        refused.remove(in: range, where: matches)
    }
}

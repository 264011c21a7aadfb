/// Every event in order, the newest kept: by count, and by the bytes of the pushes among them.
package struct EventLog: Sendable {
    private let capacity: Int
    private let byteCapacity: Int
    /// A ring: the oldest event is at `head`.
    private var ring: [Event] = []
    private var head = 0
    private var bytes = 0
    /// The number of the newest event; 0 before the first.
    package private(set) var newest: UInt64 = 0

    package init(capacity: Int, byteCapacity: Int) {
        self.capacity = capacity
        self.byteCapacity = byteCapacity
    }

    package var count: Int { ring.count - head }

    @discardableResult package mutating func append(
        _ kind: Event.Kind, at time: Timestamp, app: String, device: DeviceID? = nil, push: PushID? = nil,
        why: RuleID? = nil, detail: Event.Detail = .none
    ) -> Event {
        newest += 1
        let event = Event(
            seq: newest, time: time, kind: kind, app: app, device: device, push: push, why: why, detail: detail)
        ring.append(event)
        bytes += size(event)
        while count > capacity || (bytes > byteCapacity && count > 1) { dropOldest() }
        return event
    }

    /// The events after that number that are still kept. A reader that asks for older ones sees a gap.
    package func events(after seq: UInt64) -> ArraySlice<Event> {
        let kept = UInt64(count)
        let missing = newest - min(seq, newest)
        return ring.suffix(Int(min(kept, missing)))
    }

    private mutating func dropOldest() {
        bytes -= size(ring[head])
        head += 1
        // Moving the rest down once per capacity keeps each append cheap.
        if head > capacity {
            ring.removeFirst(head)
            head = 0
        }
    }

    private func size(_ event: Event) -> Int {
        guard case .push(let record) = event.detail else { return 96 }
        return record.size
    }
}

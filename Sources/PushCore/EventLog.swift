/// Every event in order, the newest kept: by count, and by the bytes of the pushes among them.
package struct EventLog: Sendable {
    private let capacity: Int
    private let byteCapacity: Int
    /// A ring that grows to `capacity` places: event `seq` is at `(seq - 1) % capacity`.
    private var ring: [Event?] = []
    package private(set) var count = 0
    private var bytes = 0
    /// The number of the newest event; 0 before the first.
    package private(set) var newest: UInt64 = 0

    package init(capacity: Int, byteCapacity: Int) {
        self.capacity = capacity
        self.byteCapacity = byteCapacity
    }

    @discardableResult package mutating func append(
        _ kind: Event.Kind, at time: Timestamp, app: String, device: DeviceID? = nil, push: PushID? = nil,
        why: RuleID? = nil, detail: Event.Detail = .none
    ) -> Event {
        if count == capacity { dropOldest() }
        newest += 1
        let event = Event(
            seq: newest, time: time, kind: kind, app: app, device: device, push: push, why: why, detail: detail)
        let place = place(of: newest)
        if place == ring.count { ring.append(event) } else { ring[place] = event }
        count += 1
        bytes += size(event)
        while bytes > byteCapacity && count > 1 { dropOldest() }
        return event
    }

    /// The events after that number that are still kept. A reader that asks for older ones sees a gap.
    package func events(after seq: UInt64) -> [Event] {
        let oldest = newest - UInt64(count)
        guard seq < newest else { return [] }
        return (max(seq, oldest) + 1...newest).compactMap { ring[place(of: $0)] }
    }

    private mutating func dropOldest() {
        let place = place(of: newest - UInt64(count) + 1)
        if let event = ring[place] { bytes -= size(event) }
        ring[place] = nil
        count -= 1
    }

    private func place(of seq: UInt64) -> Int { Int((seq - 1) % UInt64(capacity)) }

    private func size(_ event: Event) -> Int {
        guard case .push(let record) = event.detail else { return 96 }
        return record.size
    }
}

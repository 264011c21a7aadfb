/// The events that the callbacks collected and the owner has not taken. `next` moves an event out.
struct EventQueue {
    private var events: [HTTP2Event] = []
    private var taken = 0

    var isEmpty: Bool { taken == events.count }

    mutating func append(_ event: HTTP2Event) { events.append(event) }

    mutating func next() -> HTTP2Event? {
        guard taken < events.count else {
            events.removeAll(keepingCapacity: events.capacity <= 128)
            taken = 0
            return nil
        }
        var event = HTTP2Event.settingsAcknowledged
        swap(&event, &events[taken])
        taken += 1
        return event
    }
}

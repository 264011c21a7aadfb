package import JSON
package import PushCore

/// What became of one push on each of its devices, derived from its events.
package struct PushReports {
    package private(set) var entries: [(device: DeviceID, report: DeviceReport)] = []
    private var places: [DeviceID: Int] = [:]
    /// How many devices have an entry, at most.
    private let limit: Int
    /// How many other devices got the push, or wait for it.
    package private(set) var others = 0

    package init(limit: Int) { self.limit = limit }

    /// Adds an event about the push.
    ///
    /// - Parameter data: the event's data, as the API shows it.
    package mutating func add(_ event: Event, _ data: JSONView?) {
        guard let device = event.device else { return }
        if places[device] == nil {
            guard entries.count < limit else {
                if event.kind == .delivered || event.kind == .stored || event.kind == .dropped { others &+= 1 }
                return
            }
            places[device] = entries.count
            entries.append((device, DeviceReport()))
        }
        if let place = places[device] { entries[place].report.add(event.kind, why: event.why?.description, data) }
    }
}

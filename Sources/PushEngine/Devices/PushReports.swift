package import Devices
package import JSON
package import PushCore

/// What became of one push on each of its devices, told from its events.
package struct PushReports {
    package private(set) var entries: [(device: DeviceID, report: DeviceReport)] = []
    private var places: [DeviceID: Int] = [:]
    /// How many devices have an entry, at most.
    private let limit: Int
    /// How many other devices got the push, or wait for it.
    package private(set) var others = 0

    package init(limit: Int) { self.limit = limit }

    /// Adds an event about the push.
    package mutating func add(_ event: Event) {
        guard let device = event.device else { return }
        if places[device] == nil {
            guard entries.count < limit else {
                if event.kind == .delivered || event.kind == .stored || event.kind == .dropped { others &+= 1 }
                return
            }
            places[device] = entries.count
            entries.append((device, DeviceReport()))
        }
        if let place = places[device] { entries[place].report.add(event) }
    }
}

extension DeviceReport {
    fileprivate mutating func add(_ event: Event) {
        var json = JSONWriter()
        var marks = FrameTemplate.Placeholders()
        event.writeData(to: &json, &marks)
        add(event.kind, why: event.why?.description, (try? JSONDocument(parsing: json.finish()))?.root)
    }
}

extension PushEngine {
    /// Writes what became of a push, as `devices` of `GET /messages/{id}/events`.
    package func write(_ reports: PushReports, of push: PushID, to json: inout JSONWriter) {
        json.array { json in
            for (device, report) in reports.entries {
                json.object { json in
                    json.member("device", device.description)
                    if let slot = devices.slot(of: device) {
                        json.member("name", devices[slot].name)
                        json.member("platform", devices.platform(at: slot).rawValue)
                        if devices.isTracking(slot) { json.member("isTracking", true) }
                        if devices.isWorking(on: push, at: slot) { json.member("isWorking", true) }
                    }
                    json.member("did", report.did)
                    if let remedy = report.obstacle?.remedy { json.member("remedy", remedy) }
                    if let missing = report.missingImage { json.member("missingImage", missing) }
                }
            }
        }
    }
}

package import Devices
package import JSON
package import PushCore

extension PushReports {
    /// Adds an event about the push.
    package mutating func add(_ event: Event) {
        var json = JSONWriter()
        var marks = FrameTemplate.Placeholders()
        event.writeData(to: &json, &marks)
        add(event, (try? JSONDocument(parsing: json.finish()))?.root)
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

internal import Glibc
internal import JSON
internal import PushCore
internal import PushpitClient

/// What `send` prints about the devices that got the push: what each did with it, and why one shows no image.
enum DeviceLines {
    /// How many devices have lines.
    private static let maximum = 10
    /// How often the gateway is asked again while a phone is still working on the push, and how many microseconds lie
    /// between two questions.
    private static let (attempts, pause): (Int, UInt32) = (50, 100_000)

    /// Asks the control API. Empty if it is out of reach.
    static func text(of entry: JournalEntry, from client: ControlClient) -> String {
        for attempt in 1...attempts {
            guard let answer = try? client.get("/messages/\(entry.id)/events?limit=1000"), answer.status == 200,
                let devices = (try? JSONDocument(parsing: answer.body))?.root["devices"]
            else { return "" }
            let isWorking = devices.elements.contains { $0["isWorking"]?.bool == true }
            if !isWorking || attempt == attempts { return text(of: devices) }
            usleep(pause)
        }
        return ""
    }

    /// - Parameter devices: as in the answer to `GET /messages/{id}/events`.
    static func text(of devices: JSONView) -> String {
        var lines = FindingLines()
        let devices = Array(devices.elements)
        for device in devices.prefix(maximum) {
            func text(_ key: String) -> String { device[key]?.string ?? "" }
            let name = text("name").isEmpty || text("name") == text("device") ? "" : " \(text("name"))"
            lines.add(line: "device \(text("device"))\(name) (\(text("platform"))): \(text("did"))")
            if let remedy = device["remedy"]?.string { lines.add(remedy: remedy) }
            if let missing = device["missingImage"] {
                lines.add(
                    "no image", missing["reason"]?.string ?? "", RuleID(missing["rule"]?.string ?? ""), at: nil,
                    remedy: missing["remedy"]?.string)
            }
        }
        let others = devices.count &- maximum
        if others > 0 { lines.add(line: "and \(others) other devices") }
        return lines.text
    }
}

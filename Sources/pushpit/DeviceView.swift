internal import Devices
internal import Gateway
internal import JSON
internal import PushCore

/// The view of a device in the terminal: a card for each notification, a line for everything else.
struct DeviceView {
    static let keys =
        "keys: o open, d dismiss, c clear all, f foreground, b background, a launch the app, k force-quit the app, l lock, n network, q quit"

    let url: String
    let isJSON: Bool
    /// The sequence number of the last frame, to resume after it.
    private(set) var lastSequence: UInt64 = 0
    /// The id of the device; nil before the gateway's welcome.
    private(set) var device: String?
    /// The keys of the notifications in the shade, newest last.
    private(set) var shade: [String] = []
    /// The device's tokens, by their names in the `tokens` of a device. A gateway that was restarted gets them back.
    private(set) var tokens: [String: String] = [:]
    /// Whether the gateway refused the tokens, because another device has one of them.
    private(set) var areTokensRefused = false
    private var flags: [String: Bool] = [:]
    /// What the device did with the last pushes, oldest first.
    private var reports: [(push: String, report: DeviceReport)] = []
    private static let maxReports = 20

    init(url: String, isJSON: Bool) {
        self.url = url
        self.isJSON = isJSON
    }

    func isOn(_ flag: String) -> Bool { flags[flag] ?? false }

    /// Prints a line that does not come from the gateway.
    func note(_ text: String) { if isJSON { printError("pushpit: \(text)") } else { printLine("- \(text)") } }

    /// Updates the view from a frame, and returns the text to print; nil if there is nothing to print.
    mutating func receive(_ frame: [UInt8]) -> String? {
        guard let json = try? JSONDocument(parsing: frame).root, let type = json["type"]?.string else { return nil }
        if type != "welcome", let seq = json["seq"]?.uint64 { lastSequence = max(lastSequence, seq) }
        switch type {
        case "welcome": welcome(json)
        case "event": event(json)
        case "token": token(json)
        case "error": if json["pointer"]?.string?.hasPrefix("/device/tokens") == true { areTokensRefused = true }
        default: break
        }
        // Between the values of a frame, line feeds mean the same as spaces; in a value they are escaped already.
        guard !isJSON else { return [String(decoding: frame.map { max($0, 0x20) }, as: UTF8.self)].asLines }
        return lines(for: type, json)?.asLines
    }

    private func lines(for type: String, _ json: JSONView) -> [String]? {
        switch type {
        case "welcome": greeting(json)
        case "push": ["\(Self.text(json["id"])) arrived\(json["attempt"]?.int == 1 ? "" : " again")"]
        case "event": lines(for: json)
        case "token": ["new \(Self.text(json["kind"] ?? json["provider"])) token: \(Self.text(json["new"]))"]
        case "deleted": ["\(json["count"]?.int ?? 0) messages were dropped while the device was offline"]
        case "error": ["- \(Self.text(json["message"]))"]
        default: nil
        }
    }

    private mutating func welcome(_ json: JSONView) {
        let known = json["device"]
        device = known?["id"]?.string
        areTokensRefused = false
        tokens = [:]
        for (name, value) in known?["tokens"]?.members.map({ ($0.key.string ?? "", $0.value) }) ?? [] {
            tokens[name] = (value["token"] ?? value["start"])?.string
        }
        // After a resume, the frames that were missed follow. Their numbers are lower than that of the welcome.
        if json["resumed"]?.bool != true { lastSequence = json["seq"]?.uint64 ?? 0 }
        shade = known?["shade"]?.elements.compactMap { $0["key"]?.string }.reversed() ?? []
        for (key, value) in known?["state"]?.members.map({ ($0.key.string ?? "", $0.value) }) ?? [] {
            if let flag = value.bool { flags[key] = flag }
        }
    }

    /// Remembers the new token. Tokens of Live Activities are left out, because they end with their activity.
    private mutating func token(_ json: JSONView) {
        guard json["activity"] == nil, let name = json["kind"]?.string ?? json["provider"]?.string else { return }
        tokens[name] = json["new"]?.string
    }

    private mutating func event(_ json: JSONView) {
        let data = json["data"]
        addToReport(json)
        switch json["kind"]?.string {
        case "presented": if let key = data?["key"]?.string { shade = shade.filter { $0 != key } + [key] }
        case "opened", "dismissed", "action", "replaced":
            shade.removeAll { $0 == data?["notification"]?.string ?? data?["key"]?.string }
        case "state":
            for (key, value) in data?.members.map({ ($0.key.string ?? "", $0.value) }) ?? [] {
                if let flag = value.bool { flags[key] = flag }
            }
        default: break
        }
    }

    private mutating func addToReport(_ event: JSONView) {
        guard let push = event["push"]?.string, let kind = event["kind"]?.string.flatMap(Event.Kind.init) else {
            return
        }
        if !reports.contains(where: { $0.push == push }) {
            if reports.count >= Self.maxReports { reports.removeFirst() }
            reports.append((push, DeviceReport()))
        }
        guard let index = reports.firstIndex(where: { $0.push == push }) else { return }
        reports[index].report.add(kind, why: event["why"]?.string, event["data"])
    }

    private func greeting(_ json: JSONView) -> [String] {
        guard let device = json["device"] else { return [] }
        if json["resumed"]?.bool == true { return ["- reconnected"] }
        let app = Self.text(device["app"])
        var lines = ["\(Self.text(device["platform"])) device \(Self.text(device["id"])) with \(app) at \(url)"]
        if let token = device["tokens"]?["apns"]?["token"]?.string {
            lines += [
                "APNs token: \(token)",
                "  echo '{\"aps\":{\"alert\":\"Hello\"}}' | pushpit send - --to \(token) --topic \(Self.shellWord(app)) --url \(url)",
            ]
        }
        if let token = device["tokens"]?["fcm"]?["token"]?.string {
            lines += [
                "FCM token: \(token)",
                "  curl -H 'authorization: Bearer any' -H 'content-type: application/json' \\",
                "    -d '{\"message\":{\"token\":\"\(token)\",\"notification\":{\"title\":\"Hello\"}}}' \\",
                "    \(url)/v1/projects/pushpit-local/messages:send",
                "  messaging.send(messaging.Message(token=\"\(token)\", notification=messaging.Notification(title=\"Hello\")))",
            ]
        }
        if let fid = device["tokens"]?["fcm"]?["fid"]?.string {
            lines.append("Firebase installation id: \(fid) (send to it with 'fid' instead of 'token')")
        }
        return lines + notes(json) + [Self.keys]
    }

    /// What may surprise the user about this device.
    private func notes(_ json: JSONView) -> [String] {
        var notes: [String] = []
        let (device, app) = (json["device"], Self.text(json["device"]?["app"]))
        let ignored =
            json["ignored"]?.elements.compactMap { $0.string?.split(separator: "/").last.map(String.init) } ?? []
        if !ignored.isEmpty {
            notes.append(
                "- the device \(Self.text(device?["id"])) already exists and keeps its own settings for: "
                    + ignored.joined(separator: ", "))
        }
        if device?["platform"]?.string == "ios", !app.utf8.allSatisfy(Self.isTopicCharacter) {
            notes.append("- '\(app)' is not a bundle id, so no push over APNs can reach this device; see --app")
        }
        if device?["platform"]?.string == "web", !app.hasPrefix("http") {
            notes.append(
                "- for a browser, the app is the origin of the web page, such as --app https://www.example.com")
        }
        return notes
    }

    private static func isTopicCharacter(_ byte: UInt8) -> Bool {
        Unicode.Scalar(byte).properties.isAlphabetic && byte < 0x80 || 0x30...0x39 ~= byte || "-._".utf8.contains(byte)
    }

    /// The text as one word for a shell.
    private static func shellWord(_ text: String) -> String {
        text.utf8.allSatisfy(isTopicCharacter) ? text : "'\(text.pieces(separatedBy: "'").joined(separator: "'\\''"))'"
    }

    /// A card for a notification, a line for any other event.
    private func lines(for event: JSONView) -> [String] {
        let (kind, why, data) = (Self.text(event["kind"]), Self.text(event["why"]), event["data"])
        let time = Self.text(event["time"]).dropFirst(11).prefix(8)
        guard kind == "presented", let data, data["key"] != nil else {
            let fields =
                data?.members.map { "\($0.key.string ?? "")=\($0.value.string ?? $0.value.shown)" }.joined(
                    separator: " ") ?? ""
            return ["\(time) \(kind)\(why.isEmpty ? "" : " (\(why))")\(fields.isEmpty ? "" : " \(fields)")"]
        }
        var lines = ["┌ \(Self.text(data["title"]))  [\(Self.text(data["key"])), \(time)]"]
        for key in ["subtitle", "body"] { if let text = data[key]?.string, !text.isEmpty { lines.append("│ \(text)") } }
        if let image = data["image"]?.string { lines.append("│ image: \(image)") }
        if let missing = reports.first(where: { $0.push == event["push"]?.string })?.report.missingImage {
            lines.append("│ no image: \(missing.reason) [\(missing.rule)]")
            if let remedy = missing.remedy { lines.append("│   fix: \(remedy)") }
        }
        let actions = data["actions"]?.elements.compactMap { $0["title"]?.string } ?? []
        if !actions.isEmpty { lines.append("│ " + actions.map { "[\($0)]" }.joined(separator: " ")) }
        lines.append("└ on \(data["surfaces"]?.elements.compactMap(\.string).joined(separator: ", ") ?? "") (\(why))")
        return lines
    }

    private static func text(_ json: JSONView?) -> String { json?.string ?? "" }
}

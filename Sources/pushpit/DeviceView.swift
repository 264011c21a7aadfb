internal import Gateway
internal import JSON

/// What a person sees of a device: cards for notifications, a line for all else.
struct DeviceView {
    static let keys =
        "keys: o open, d dismiss, c clear all, f foreground, b background, a open the app, k end the app, l lock, n network, q quit"

    let url: String
    let isJSON: Bool
    /// The number to resume after.
    private(set) var newest: UInt64 = 0
    private(set) var device: String?
    /// The keys of what is in the shade, the newest last.
    private(set) var shade: [String] = []
    private var flags: [String: Bool] = [:]

    init(url: String, isJSON: Bool) {
        self.url = url
        self.isJSON = isJSON
    }

    func isOn(_ flag: String) -> Bool { flags[flag] ?? false }

    func note(_ text: String) { if isJSON { print(error: "pushpit: \(text)") } else { out("- \(text)\n") } }

    mutating func show(_ frame: [UInt8]) {
        guard let json = try? JSONDocument(parsing: frame).root, let type = json["type"]?.string else { return }
        if type != "welcome", let seq = json["seq"]?.uint64 { newest = max(newest, seq) }
        switch type {
        case "welcome": welcome(json)
        case "event": event(json)
        default: break
        }
        guard !isJSON else { return out(String(decoding: frame, as: UTF8.self) + "\n") }
        switch type {
        case "welcome": out(greeting(json))
        case "push": out("\(Self.text(json["id"])) has come\(json["attempt"]?.int == 1 ? "" : " again")\n")
        case "event": out(text(of: json))
        case "token": out("a new \(Self.text(json["provider"])) token: \(Self.text(json["new"]))\n")
        case "deleted": out("\(json["count"]?.int ?? 0) messages were dropped while it was away\n")
        case "error": out("- \(Self.text(json["message"]))\n")
        default: break
        }
    }

    private mutating func welcome(_ json: JSONView) {
        let known = json["device"]
        device = known?["id"]?.string
        // Otherwise what was missed comes now, with lower numbers.
        if json["resumed"]?.bool != true { newest = json["seq"]?.uint64 ?? 0 }
        shade = known?["shade"]?.elements.compactMap { $0["key"]?.string }.reversed() ?? []
        for (key, value) in known?["state"]?.members.map({ ($0.key.string ?? "", $0.value) }) ?? [] {
            if let flag = value.bool { flags[key] = flag }
        }
    }

    private mutating func event(_ json: JSONView) {
        let data = json["data"]
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

    private func greeting(_ json: JSONView) -> String {
        guard let device = json["device"] else { return "" }
        if json["resumed"]?.bool == true { return "- back again\n" }
        let app = Self.text(device["app"])
        var lines = ["\(Self.text(device["platform"])) device \(Self.text(device["id"])) with \(app)"]
        if let token = device["tokens"]?["apns"]?["token"]?.string {
            lines += [
                "APNs token: \(token)",
                "  echo '{\"aps\":{\"alert\":\"Hello\"}}' | pushpit send - --to \(token) --topic \(app) --url \(url)",
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
        return (lines + [Self.keys]).joined(separator: "\n") + "\n"
    }

    /// A card for what is shown, else a line.
    private func text(of event: JSONView) -> String {
        let (kind, why, data) = (Self.text(event["kind"]), Self.text(event["why"]), event["data"])
        let time = Self.text(event["time"]).dropFirst(11).prefix(8)
        guard kind == "presented", let data, data["key"] != nil else {
            let fields =
                data?.members.map { "\($0.key.string ?? "")=\($0.value.string ?? $0.value.shown)" }.joined(
                    separator: " ") ?? ""
            return "\(time) \(kind)\(why.isEmpty ? "" : " (\(why))")\(fields.isEmpty ? "" : " \(fields)")\n"
        }
        var lines = ["┌ \(Self.text(data["title"]))  [\(Self.text(data["key"])), \(time)]"]
        for key in ["subtitle", "body"] { if let text = data[key]?.string, !text.isEmpty { lines.append("│ \(text)") } }
        if let image = data["image"]?.string { lines.append("│ image: \(image)") }
        let actions = data["actions"]?.elements.compactMap { $0["title"]?.string } ?? []
        if !actions.isEmpty { lines.append("│ " + actions.map { "[\($0)]" }.joined(separator: " ")) }
        lines.append("└ on \(data["surfaces"]?.elements.compactMap(\.string).joined(separator: ", ") ?? "") (\(why))")
        return lines.map(Self.plain).joined(separator: "\n") + "\n"
    }

    private static func text(_ json: JSONView?) -> String { json?.string.map(plain) ?? "" }

    /// A sender's text must not speak to the terminal.
    private static func plain(_ text: String) -> String {
        String(text.map { $0.unicodeScalars.allSatisfy { $0.value < 0x20 || 0x7F...0x9F ~= $0.value } ? " " : $0 })
    }
}

/// `show`, under a name that no method has.
private func out(_ text: String) { show(text) }

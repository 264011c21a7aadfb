internal import JSON
internal import PushCore

/// Reads a payload as the phone would, and says what would not work there. Makes nothing where all is well.
struct PayloadCheck {
    private let kind: APNsPushType?
    private let priority: Int
    private(set) var findings: [Finding] = []
    /// The first that `strict` refuses.
    private(set) var refusal: Finding?

    private static let pathLimit = 200

    /// - Parameter kind: by the push type, else by the topic.
    init(_ body: [UInt8], kind: APNsPushType?, priority: Int) {
        self.kind = kind
        self.priority = priority
        do throws(JSONError) { check(root: try JSONDocument(parsing: body).root) } catch {
            note(.notJSON, "", "The payload is no JSON: \(error.sentence(in: body))")
        }
    }

    private mutating func check(root: JSONView) {
        guard root.kind == .object else { return note(.notObject, "", "The payload is no JSON object") }
        let aps = root["aps"]
        if let aps { check(aps) }
        checkMedia(root, aps)
        checkRest(root)
    }

    private mutating func check(_ aps: JSONView) {
        guard aps.kind == .object else { return note(.wrongType, "/aps", "'aps' is no object") }
        for (key, value) in aps.members {
            if key.equals("mutable-content") {
                checkMutableContent(value)
            } else if let known = APSKey.table.first(where: { key.equals($0.name) }) {
                guard !known.shape.allows(value) else { continue }
                note(.wrongType, "/aps/\(known.name)", "'\(known.name)' must be \(known.shape.rawValue)")
            } else {
                let name = String((key.string ?? "").prefix(Self.pathLimit))
                note(.unknownKey, "/aps/\(name)", "'\(name)' is no key of 'aps'")
            }
        }
        if kind == .liveactivity {
            checkLiveActivity(aps)
        } else if let alert = aps["alert"], alert.kind == .object {
            for key in APSKey.alertTable {
                guard let value = alert[key.name], !key.shape.allows(value) else { continue }
                note(.wrongType, "/aps/alert/\(key.name)", "'\(key.name)' must be \(key.shape.rawValue)")
            }
        }
        if kind == .background {
            if aps["alert"] != nil || aps["badge"] != nil || aps["sound"] != nil {
                note(.alertInBackground, "/aps", "A background push carries an alert, a badge or a sound")
            }
            if priority == 10 { note(.backgroundPriority, "headers/apns-priority", "A background push has priority 10") }
        }
        if aps["mutable-content"]?.exactInteger == 1, aps["alert"] == nil {
            note(.mutableWithoutAlert, "/aps/mutable-content", "'mutable-content' is 1 and there is no 'alert'")
        }
    }

    private mutating func checkMutableContent(_ value: JSONView) {
        if value.exactInteger == 1 || value.exactInteger == 0 { return }
        note(.mutableContent, "/aps/mutable-content", "'mutable-content' is \(shown(value)), not the number 1")
    }

    /// What each event needs (facts/apns.md §5.4, documented).
    private mutating func checkLiveActivity(_ aps: JSONView) {
        let needs: [String: [String]] = [
            "start": ["timestamp", "content-state", "attributes-type", "attributes", "alert"],
            "update": ["timestamp", "content-state"], "end": ["timestamp"],
        ]
        guard let event = aps["event"]?.string, let needed = needs[event] else {
            return note(.liveActivityIncomplete, "/aps/event", "'event' must be start, update or end")
        }
        for key in needed where aps[key] == nil {
            note(.liveActivityIncomplete, "/aps/\(key)", "A Live Activity's \(event) needs '\(key)'")
        }
    }

    private mutating func checkMedia(_ root: JSONView, _ aps: JSONView?) {
        for (path, value) in [
            ("/fcm_options/image", root["fcm_options"]?["image"]), ("/media-attachment-url", root["media-attachment-url"]),
        ] {
            guard let value, !value.isNull else { continue }
            if aps?["mutable-content"]?.exactInteger != 1 {
                note(.mediaNeedsMutableContent, path, "A media URL needs 'mutable-content' 1 in 'aps'")
            }
            let text = value.string ?? ""
            switch MediaURL.fault(of: text) {
            case nil: if text.lowercased().hasPrefix("http:") { note(.mediaInClearText, path, "\(shown(value)) is http") }
            case .notAbsolute: note(.mediaNotAbsolute, path, "\(shown(value)) is no absolute http or https URL")
            case .noExtension: note(.mediaNoExtension, path, "The path of \(shown(value)) has no file extension")
            case .unknownExtension(let name):
                note(.mediaUnknownExtension, path, "'\(name.prefix(20))' is no type that an attachment takes")
            }
        }
    }

    private mutating func checkRest(_ root: JSONView) {
        for (key, value) in root.members {
            if value.isNull {
                let name = String((key.string ?? "").prefix(Self.pathLimit))
                note(.nullValue, "/\(name)", "'\(name)' is null")
            } else if key.equals("Simulator Target Bundle") {
                note(.simulatorKey, "/Simulator Target Bundle", "'Simulator Target Bundle' is in the payload")
            }
        }
    }

    private func shown(_ value: JSONView) -> String { String(decoding: value.source.prefix(Self.pathLimit), as: UTF8.self) }

    private mutating func note(_ rule: PayloadRule, _ path: String, _ sentence: String) {
        let finding = rule.finding(at: path, sentence)
        findings.append(finding)
        if rule.refuses, refusal == nil { refusal = finding }
    }
}

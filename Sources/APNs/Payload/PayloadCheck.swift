internal import JSON
internal import PushCore

/// Reads a payload as the phone would, and finds what would not work there. It builds no strings for a payload without
/// findings.
struct PayloadCheck {
    /// The kind of push, from `apns-push-type` or else from the topic's suffix.
    let kind: APNsPushType?
    let priority: Int
    private let isBroadcast: Bool
    private(set) var findings: [Finding] = []
    var hasFindings: Bool { !findings.isEmpty }
    /// The first finding for which `strict` refuses the push.
    private(set) var refusal: Finding?
    /// The payload, parsed; nil if it is not JSON.
    private(set) var document: JSONDocument?
    /// 'content-available' is 1.
    private(set) var wakesApp = false

    /// The maximum number of findings for one payload. Four thousand bytes could contain a thousand mistakes.
    private static let maxFindings = 20

    init(_ body: [UInt8], kind: APNsPushType?, priority: Int, isBroadcast: Bool = false) {
        self.kind = kind
        self.isBroadcast = isBroadcast
        self.priority = priority
        do throws(JSONError) {
            let document = try JSONDocument(parsing: body)
            self.document = document
            check(document)
        } catch {
            note(.notJSON, "", "The payload is not JSON: \(error.sentence(in: body))")
        }
    }

    private mutating func check(_ document: JSONDocument) {
        let root = document.rootPlace
        guard document.kind(at: root) == .object else {
            return note(.notObject, "", "The payload is not a JSON object")
        }
        var aps: JSONPlace?
        var hasMedia = false
        var key = document.firstKey(in: root)
        while let here = key {
            let value = document.value(ofKey: here)
            if document.isString(Self.aps, at: here) {
                aps = value
            } else if document.kind(at: value) == .null {
                let name = document.view(at: here).shortened
                note(.nullValue, "/\(name)", "'\(name)' is null")
            } else if document.isString(Self.fcmOptions, at: here) || document.isString(Self.mediaURL, at: here) {
                hasMedia = true
            } else if let name = document.view(at: here).string, name.hasPrefix("_") || name == "mutable-content" {
                lint(key: name, document.view(at: value))
            } else if document.isString(Self.simulatorKey, at: here) {
                note(.simulatorKey, "/Simulator Target Bundle", "'Simulator Target Bundle' is in the payload")
            }
            key = document.key(after: here, in: root)
        }
        if let aps {
            check(aps, document)
        } else if kind == .liveactivity {
            note(.liveActivityIncomplete, "/aps", "A Live Activity needs 'aps'")
        }
        if hasMedia { checkMedia(document.view(at: root), aps.map(document.view)) }
    }

    private static let aps = Array("aps".utf8)
    private static let fcmOptions = Array("fcm_options".utf8)
    private static let mediaURL = Array("media-attachment-url".utf8)
    private static let simulatorKey = Array("Simulator Target Bundle".utf8)
    private static let alert = Array("alert".utf8)
    private static let mutableContent = Array("mutable-content".utf8)

    private mutating func check(_ aps: JSONPlace, _ document: JSONDocument) {
        guard document.kind(at: aps) == .object else { return note(.wrongType, "/aps", "'aps' is not an object") }
        var alert: JSONPlace?
        var isMutable = false
        var key = document.firstKey(in: aps)
        while let here = key {
            let value = document.value(ofKey: here)
            if document.isString(Self.mutableContent, at: here) {
                isMutable = checkMutableContent(document.view(at: value))
            } else {
                if document.isString(Self.alert, at: here) { alert = value }
                check(key: here, value, document)
            }
            key = document.key(after: here, in: aps)
        }
        if kind == .liveactivity {
            checkLiveActivity(document.view(at: aps))
        } else if let alert, document.kind(at: alert) == .object {
            checkAlert(alert, document)
        }
        lint(aps, document)
        if kind == .background { checkBackground(document.view(at: aps)) }
        if isMutable, alert == nil {
            note(.mutableWithoutAlert, "/aps/mutable-content", "'mutable-content' is 1 and there is no 'alert'")
        }
    }

    private mutating func check(key: JSONPlace, _ value: JSONPlace, _ document: JSONDocument) {
        for index in APSKey.table.indices where document.isString(APSKey.table[index].bytes, at: key) {
            let known = APSKey.table[index]
            if known.shape.allows(value, of: document) {
                if index == APSKey.contentAvailable { wakesApp = document.view(at: value).exactInteger == 1 }
                return
            }
            return note(.wrongType, "/aps/\(known.name)", "'\(known.name)' must be \(known.shape.rawValue)")
        }
        let name = document.view(at: key).shortened
        note(.unknownKey, "/aps/\(name)", "'\(name)' is not a key of 'aps'")
    }

    private mutating func checkAlert(_ alert: JSONPlace, _ document: JSONDocument) {
        for key in APSKey.alertTable {
            guard let value = document.value(of: key.bytes, in: alert), !key.shape.allows(value, of: document) else {
                continue
            }
            note(.wrongType, "/aps/alert/\(key.name)", "'\(key.name)' must be \(key.shape.rawValue)")
        }
    }

    private mutating func checkBackground(_ aps: JSONView) {
        if aps["alert"] != nil || aps["badge"] != nil || aps["sound"] != nil {
            note(.alertInBackground, "/aps", "A background push carries an alert, a badge or a sound")
        }
        if priority == 10 { note(.backgroundPriority, "headers/apns-priority", "A background push has priority 10") }
    }

    /// Returns whether the value is 1. A value other than 0 and 1 adds a finding.
    private mutating func checkMutableContent(_ value: JSONView) -> Bool {
        let number = value.exactInteger
        if number != 1, number != 0 {
            note(.mutableContent, "/aps/mutable-content", "'mutable-content' is \(value.shown), not the number 1")
        }
        return number == 1
    }

    /// The keys that each event requires (docs/evidence/apns.md §5.4, documented).
    private static let requiredKeys: [String: [String]] = [
        "start": ["timestamp", "content-state", "attributes-type", "attributes", "alert"],
        "update": ["timestamp", "content-state"], "end": ["timestamp"],
    ]

    private mutating func checkLiveActivity(_ aps: JSONView) {
        guard let event = aps["event"]?.string, let required = Self.requiredKeys[event] else {
            return note(.liveActivityIncomplete, "/aps/event", "'event' must be start, update or end")
        }
        if isBroadcast, event == "start" { return note(.broadcastStart, "/aps/event", "'start' can't be broadcast") }
        for key in required where aps[key] == nil {
            note(.liveActivityIncomplete, "/aps/\(key)", "A Live Activity's \(event) needs '\(key)'")
        }
    }

    private mutating func checkMedia(_ root: JSONView, _ aps: JSONView?) {
        for (path, value) in [
            ("/fcm_options/image", root["fcm_options"]?["image"]),
            ("/media-attachment-url", root["media-attachment-url"]),
        ] {
            guard let value, !value.isNull else { continue }
            if aps?["mutable-content"]?.exactInteger != 1 {
                note(.mediaNeedsMutableContent, path, "A media URL needs 'mutable-content' 1 in 'aps'")
            }
            let text = value.string ?? ""
            let fault = MediaURL.fault(of: text)
            if fault != .notAbsolute, text.lowercased().hasPrefix("http:") {
                note(.mediaInClearText, path, "\(value.shown) uses http")
            }
            switch fault {
            case nil: break
            case .notAbsolute: note(.mediaNotAbsolute, path, "\(value.shown) is not an absolute http or https URL")
            case .noExtension:
                note(.mediaNoExtension, path, "The path of \(value.shown) has no file extension")
                lint(host: text, path)
            case .unknownExtension(let name):
                note(.mediaUnknownExtension, path, "'\(name.prefix(20))' is not a type that attachments accept")
            }
        }
    }

    mutating func note(_ rule: PayloadRule, _ path: String, _ sentence: String) {
        guard findings.count < Self.maxFindings || rule.refuses && refusal == nil else { return }
        let finding = rule.finding(at: path, sentence)
        findings.append(finding)
        if rule.refuses, refusal == nil { refusal = finding }
    }
}

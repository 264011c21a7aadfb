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
    /// There is an alert, a badge or a sound.
    private(set) var isVisible = false
    var backgroundMistakes: BackgroundMistakes = []

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
        var (hasMedia, hasUnreadMedia) = (false, false)
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
            } else if document.isString(Self.simulatorKey, at: here) {
                note(.simulatorKey, "/Simulator Target Bundle", "'Simulator Target Bundle' is in the payload")
            } else if let name = document.view(at: here).string {
                lint(key: name, document.view(at: value))
                if !hasMedia { hasUnreadMedia = hasUnreadMedia || isUnreadMedia(name, value, document) }
            }
            key = document.key(after: here, in: root)
        }
        if let aps {
            check(aps, document)
        } else if kind == .liveactivity {
            note(.liveActivityIncomplete, "/aps", "A Live Activity needs 'aps'")
        }
        lintMissing(aps, document)
        if hasUnreadMedia, !hasMedia { lintUnreadMedia(document) }
        if wakesApp || kind == .background { checkBackground() }
        if hasMedia { checkMedia(document.view(at: root), aps.map(document.view)) }
    }

    private static let aps = Array("aps".utf8)
    private static let fcmOptions = Array("fcm_options".utf8)
    private static let mediaURL = Array("media-attachment-url".utf8)
    private static let simulatorKey = Array("Simulator Target Bundle".utf8)
    private static let alert = Array("alert".utf8)
    private static let mutableContent = APSKey.mutableContent.bytes

    private mutating func check(_ aps: JSONPlace, _ document: JSONDocument) {
        guard document.kind(at: aps) == .object else { return checkNonObject(aps, document) }
        var alert: JSONPlace?
        var isMutable = false
        var key = document.firstKey(in: aps)
        while let here = key {
            let value = document.value(ofKey: here)
            if document.isString(Self.mutableContent, at: here) {
                isMutable = checkMutableContent(document.view(at: value))
            } else {
                if document.isString(Self.alert, at: here), document.kind(at: value) != .null { alert = value }
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
        if isMutable, alert == nil {
            note(.mutableWithoutAlert, "/aps/mutable-content", "'mutable-content' is 1 and there is no 'alert'")
        }
    }

    private mutating func check(key: JSONPlace, _ value: JSONPlace, _ document: JSONDocument) {
        for index in APSKey.table.indices where document.isString(APSKey.table[index].bytes, at: key) {
            let known = APSKey.table[index]
            if known.shape.allows(value, of: document) {
                if known.isVisible {
                    isVisible = true
                    if known.shape == .number { lint(badge: document.view(at: value)) }
                }
                if known.isTime { lint(time: document.view(at: value), of: known.name) }
                if index == APSKey.contentAvailable { wakesApp = document.view(at: value).exactInteger == 1 }
                return
            }
            return noteShape(of: known, value, document, at: "/aps")
        }
        let name = document.view(at: key).shortened
        if let guess = Self.apsKeys.guess(name) { return noteMisspelled(name, at: "/aps", guess, "'aps'") }
        if NameGuesser.isMedia(name, document.string(at: value)) { return noteUnreadMedia(name, at: "/aps") }
        note(.unknownKey, "/aps/\(name)", "'\(name)' is not a key of 'aps'")
    }

    private mutating func checkAlert(_ alert: JSONPlace, _ document: JSONDocument) {
        for key in APSKey.alertTable {
            guard let value = document.value(of: key.bytes, in: alert), !key.shape.allows(value, of: document) else {
                continue
            }
            noteShape(of: key, value, document, at: "/aps/alert")
        }
        lintKeys(ofAlert: alert, document)
    }

    /// Reports a value of the wrong type. A null never refuses the push. Neither does a Boolean, "0" or "1" in place of
    /// the number 0 or 1, because libraries write 'content-available' like that (docs/evidence/apns.md §5.7).
    private mutating func noteShape(of key: APSKey, _ value: JSONPlace, _ document: JSONDocument, at parent: String) {
        let path = "\(parent)/\(key.name)"
        let view = document.view(at: value)
        if view.isNull { return note(.nullInAps, path, "'\(key.name)' is null") }
        if key.shape == .strings, view.elements.allSatisfy({ $0.kind == .string || $0.isNull }), view.kind == .array {
            return note(.nullInAps, path, "'\(key.name)' contains null")
        }
        if key.shape == .zeroOrOne, view.bool != nil || ["0", "1"].contains(view.string) {
            return note(.flagIsNoNumber, path, "'\(key.name)' is \(view.shown), not the number 0 or 1")
        }
        note(.wrongType, path, "'\(key.name)' must be \(key.shape.rawValue)")
    }

    /// Checks an `aps` that is not an object. Senders of Wallet passes write an empty string or array.
    private mutating func checkNonObject(_ aps: JSONPlace, _ document: JSONDocument) {
        let view = document.view(at: aps)
        if kind == .liveactivity { return note(.liveActivityIncomplete, "/aps", "A Live Activity needs 'aps'") }
        if view.isNull { return note(.nullInAps, "/aps", "'aps' is null") }
        if view.string == "" || view.kind == .array && view.count == 0 {
            return note(.emptyAps, "/aps", "'aps' is \(view.shown)")
        }
        note(.wrongType, "/aps", "'aps' is not an object")
    }

    /// Returns whether the value is 1. A value other than 0 and 1 adds a finding.
    private mutating func checkMutableContent(_ value: JSONView) -> Bool {
        if value.isNull {
            note(.nullInAps, "/aps/mutable-content", "'mutable-content' is null")
            return false
        }
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
        for key in required where aps[key]?.isNull ?? true {
            note(.liveActivityIncomplete, "/aps/\(key)", "A Live Activity's \(event) needs '\(key)'")
        }
    }

    mutating func note(_ rule: PayloadRule, _ path: String, _ sentence: String) {
        guard findings.count < Self.maxFindings || rule.refuses && refusal == nil else { return }
        let finding = rule.finding(at: path, sentence)
        findings.append(finding)
        if rule.refuses, refusal == nil { refusal = finding }
    }
}

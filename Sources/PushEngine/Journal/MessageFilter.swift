internal import HTTPCore
internal import JSON
internal import PushCore

/// The filter for pushes in lists and in `expect` (docs/api.md). Unset fields match everything.
package struct MessageFilter {
    package enum Field: String, CaseIterable {
        case provider, app, token, device, topic, pushType, outcome, status, reason, rule, text
    }

    /// A time or an event number.
    enum Bound: Equatable {
        case time(Timestamp)
        case seq(UInt64)

        init?(_ text: String) {
            if let seq = UInt64(text) {
                self = .seq(seq)
            } else if let time = Timestamp(parsing: text) {
                self = .time(time)
            } else {
                return nil
            }
        }
    }

    /// One way in which a message does not match.
    package struct Difference {
        let at: String
        let expected: JSONValue
        /// Nil if the message has no such value.
        let got: JSONValue?
    }

    private(set) var fields: [(field: Field, wanted: String)] = []
    private(set) var since: Bound?
    private(set) var until: Bound?
    private(set) var headers: [(name: String, wanted: String)] = []
    /// Each pointer must have one of these values.
    private(set) var body: [(pointer: JSONPointer, wanted: [JSONValue])] = []
    /// A fast check that excludes most messages.
    private(set) var prefilter = Prefilter()

    /// The part of the filter that needs only the numbers in a journal row. It is checked for every push and every waiting
    /// `expect`, of which there may be thousands.
    struct Prefilter {
        fileprivate var app: Int?
        fileprivate var token: Int?
        fileprivate var topic: Int?
        fileprivate var isAccepted: Bool?
        fileprivate var after: UInt64 = 0
        fileprivate var upTo = UInt64.max

        /// False if the push cannot match; true if the full filter must decide.
        func mayMatch(_ row: Journal.Row) -> Bool {
            if let app, app != row.app, app != row.project { return false }
            if let token, token != row.token { return false }
            if let topic, topic != row.topic { return false }
            if let isAccepted, isAccepted != row.isAccepted { return false }
            return row.seq > after && row.seq <= upTo
        }
    }

    package init() {}

    var matchesEverything: Bool { fields.isEmpty && since == nil && until == nil && headers.isEmpty && body.isEmpty }

    var device: String? { fields.first { $0.field == .device }?.wanted }

    package mutating func add(_ field: Field, _ wanted: String) throws(ControlProblem) {
        let words: [String]? =
            switch field {
            case .provider: Provider.allCases.map(\.rawValue)
            case .outcome: ["accepted", "refused"]
            default: nil
            }
        if let words, !words.contains(wanted) {
            throw .bad("'\(field.rawValue)' must be one of \(words.joined(separator: ", ")).", at: "/\(field.rawValue)")
        }
        if field == .status, Int(wanted).map({ 0...999 ~= $0 }) != true {
            throw .bad("'status' must be a status such as 200.", at: "/status")
        }
        // APNs tokens are case-insensitive.
        let wanted = field == .token && wanted.utf8.allSatisfy(\.isHexDigit) ? wanted.lowercased() : wanted
        switch field {
        case .app: prefilter.app = wanted.hashValue
        case .token: prefilter.token = wanted.hashValue
        case .topic: prefilter.topic = wanted.hashValue
        case .outcome: prefilter.isAccepted = wanted == "accepted"
        default: break
        }
        fields.append((field, wanted))
    }

    mutating func add(header name: String, _ wanted: String) { headers.append((name.lowercased(), wanted)) }

    mutating func add(pointer text: String, _ wanted: [JSONValue], under parent: String = "") throws(ControlProblem) {
        guard let pointer = JSONPointer(text) else {
            throw .bad(
                "'\(text.prefix(100))' is not a JSON pointer. A pointer begins with '/', for example /aps/alert/title.",
                at: "\(parent)/body")
        }
        body.append((pointer, wanted))
    }

    mutating func bound(since: String?, until: String?, under parent: String = "") throws(ControlProblem) {
        func read(_ text: String?, _ name: String) throws(ControlProblem) -> Bound? {
            guard let text else { return nil }
            guard let bound = Bound(text) else {
                throw .bad(
                    "'\(name)' must be a time such as 2026-11-21T04:05:06.789Z, or an event number.",
                    at: "\(parent)/\(name)")
            }
            return bound
        }
        self.since = try read(since, "since")
        self.until = try read(until, "until")
        if case .seq(let seq) = self.since { prefilter.after = seq }
        if case .seq(let seq) = self.until { prefilter.upTo = seq }
    }

    func matches(_ message: Message) -> Bool {
        isWithin(message.event) && fields.allSatisfy { Self.has($0.field, $0.wanted, message) }
            && headers.allSatisfy { Self.values(of: $0.name, message).contains($0.wanted) }
            && body.allSatisfy { pointer, wanted in Self.value(at: pointer, message).map(wanted.contains) ?? false }
    }

    /// All the ways in which a message does not match.
    package func differences(_ message: Message) -> [Difference] {
        var found: [Difference] = []
        for (name, bound, holds) in [("since", since, Self.isAfter), ("until", until, Self.isBefore)] {
            guard let bound, !holds(message.event, bound) else { continue }
            if case .seq = bound {
                found.append(Difference(at: name, expected: bound.json, got: .int(Int64(clamping: message.event.seq))))
            } else {
                found.append(Difference(at: name, expected: bound.json, got: .string(message.event.time.description)))
            }
        }
        for (field, wanted) in fields where !Self.has(field, wanted, message) {
            let got = Self.values(of: field, message)
            found.append(
                Difference(
                    at: field.rawValue, expected: .string(wanted),
                    got: got.count < 2 ? got.first.map(JSONValue.string) : .array(got.prefix(20).map(JSONValue.string)))
            )
        }
        for (name, wanted) in headers {
            let got = Self.values(of: name, message)
            if !got.contains(wanted) {
                found.append(
                    Difference(at: "headers/\(name)", expected: .string(wanted), got: got.first.map(JSONValue.string)))
            }
        }
        for (pointer, wanted) in body {
            let got = Self.value(at: pointer, message)
            if !(got.map(wanted.contains) ?? false) {
                found.append(Difference(at: pointer.description, expected: wanted.first ?? .null, got: got))
            }
        }
        return found
    }

    private func isWithin(_ event: Event) -> Bool {
        (since.map { Self.isAfter(event, $0) } ?? true) && (until.map { Self.isBefore(event, $0) } ?? true)
    }

    private static func isAfter(_ event: Event, _ bound: Bound) -> Bool {
        switch bound {
        case .time(let time): event.time >= time
        case .seq(let seq): event.seq > seq
        }
    }

    private static func isBefore(_ event: Event, _ bound: Bound) -> Bool {
        switch bound {
        case .time(let time): event.time <= time
        case .seq(let seq): event.seq <= seq
        }
    }

    private static func has(_ field: Field, _ wanted: String, _ message: Message) -> Bool {
        guard field == .text else { return values(of: field, message).contains(wanted) }
        let wanted = wanted.lowercased()
        return message.texts.contains { $0.lowercased().contains(wanted) }
    }

    /// The message's values for a field. The filter matches if one of them is equal.
    private static func values(of field: Field, _ message: Message) -> [String] {
        switch field {
        case .provider: [message.record.provider.rawValue]
        case .app:
            message.facts.project.map { $0 == message.event.app ? [$0] : [message.event.app, $0] } ?? [
                message.event.app
            ]
        case .token: [message.facts.target?.token].compactMap(\.self)
        case .device: message.devices.map(\.description)
        case .topic: [message.facts.topic].compactMap(\.self)
        case .pushType: [message.facts.pushType].compactMap(\.self)
        case .outcome: [message.event.kind.rawValue]
        case .status: [String(message.record.status)]
        case .reason: [message.record.reason].compactMap(\.self)
        case .rule:
            [message.event.why?.description].compactMap(\.self) + message.record.findings.map(\.rule.description)
        case .text: message.texts
        }
    }

    private static func values(of header: String, _ message: Message) -> [String] {
        message.shownHeaders.filter { $0.name == header }.map(\.value)
    }

    private static func value(at pointer: JSONPointer, _ message: Message) -> JSONValue? {
        message.document?.root[pointer].map { JSONValue($0) }
    }
}

extension MessageFilter.Bound {
    fileprivate var json: JSONValue {
        switch self {
        case .time(let time): .string(time.description)
        case .seq(let seq): .int(Int64(clamping: seq))
        }
    }
}

extension UInt8 {
    fileprivate var isHexDigit: Bool { 0x30...0x39 ~= self || 0x61...0x66 ~= self | 0x20 }
}

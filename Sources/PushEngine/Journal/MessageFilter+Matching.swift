internal import HTTPCore
internal import JSON
internal import PushCore

/// Comparing a filter with a message.
extension MessageFilter {
    /// False if the text that is searched for is not in the bytes of the body. This is much faster than `matches`.
    func mayMatch(_ row: Journal.Row, _ events: borrowing EventLog) -> Bool {
        Self.mayContain(pattern, row, events)
    }

    static func mayContain(_ pattern: TextPattern?, _ row: Journal.Row, _ events: borrowing EventLog) -> Bool {
        guard let pattern, !row.hasEscapes, let body = events.body(at: row.request) else { return true }
        return pattern.isContained(in: body.span)
    }

    package func matches(_ message: Message) -> Bool {
        isWithin(message.event) && fields.allSatisfy { has($0.field, $0.wanted, message) }
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
        for (field, wanted) in fields where !has(field, wanted, message) {
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

    private func has(_ field: Field, _ wanted: String, _ message: Message) -> Bool {
        let values = Self.values(of: field, message)
        switch field {
        case .text:
            guard let pattern else { return false }
            return values.contains { pattern.isContained(in: $0.utf8Span.span) }
        case .apnsID, .apnsUniqueID: return values.contains { $0.lowercased() == wanted.lowercased() }
        case .name: return values.contains { $0 == wanted || $0.hasSuffix("/messages/\(wanted)") }
        case .provider, .app, .token, .device, .topic, .pushType, .outcome, .status, .reason, .rule:
            return values.contains(wanted)
        }
    }

    /// The message's values for a field. The filter matches if one of them is the wanted value.
    private static func values(of field: Field, _ message: Message) -> [String] {
        switch field {
        case .provider: [message.record.provider.rawValue]
        case .apnsID: [message.ids.apnsID].compactMap(\.self)
        case .apnsUniqueID: [message.ids.apnsUniqueID].compactMap(\.self)
        case .name: [message.ids.name].compactMap(\.self)
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

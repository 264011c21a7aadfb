package import JSON
internal import Patterns
internal import PushCore

/// Comparing a filter with a message.
extension MessageFilter {
    /// One way in which a push or an event does not match.
    package struct Difference {
        var isOfEventKind = false
        package let at: String
        let expected: JSONValue
        /// Nil if there is no such value.
        package let got: JSONValue?
        /// What explains the difference.
        package var note: String?
    }

    /// False if the text that is searched for is not in the bytes of the body. This is much faster than a comparison.
    func mayMatch(_ row: Journal.Row, _ events: borrowing EventLog) -> Bool {
        Self.mayContain(pattern, row, events)
    }

    static func mayContain(_ pattern: TextPattern?, _ row: Journal.Row, _ events: borrowing EventLog) -> Bool {
        guard let pattern, !row.hasEscapes, let body = events.body(at: row.request) else { return true }
        return pattern.isContained(in: body.span)
    }

    /// Compares the filter with a push, all at once. Use it only for filters without regular expressions, because those
    /// take long.
    package func matches(_ message: Message) -> Bool {
        var comparison = FilterComparison(FilterSubject(message, on: message.devices))
        var steps = Int.max
        return comparison.advance(self, steps: &steps) ?? false
    }

    func isWithin(_ event: Event) -> Bool {
        (since.map { Self.isAfter(event, $0) } ?? true) && (until.map { Self.isBefore(event, $0) } ?? true)
    }

    /// The differences from `since` and `until`, if the event is not between them.
    func differences(inTimeOf event: Event) -> [Difference] {
        var found: [Difference] = []
        for (name, bound, holds) in [("since", since, Self.isAfter), ("until", until, Self.isBefore)] {
            guard let bound, !holds(event, bound) else { continue }
            let got: JSONValue =
                switch bound {
                case .seq: .int(Int64(clamping: event.seq))
                case .time: .string(event.time.description)
                }
            found.append(Difference(at: name, expected: bound.json, got: got))
        }
        return found
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
}

extension MessageFilter.Bound {
    fileprivate var json: JSONValue {
        switch self {
        case .time(let time): .string(time.description)
        case .seq(let seq): .int(Int64(clamping: seq))
        }
    }
}

extension MessageFilter.Difference: JSONWritable {
    private static let noDevice =
        "The push reached no device, for example because it was refused: find it with 'token'."

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("at", at)
            json.member("expected", expected)
            json.member("got", got)
            let note = at == MessageFilter.Field.device.rawValue && got == nil ? Self.noDevice : note
            if let note { json.member("note", note) }
        }
    }
}

internal import PushCore

extension MessageFilter {
    /// The part of the filter that compares only numbers. It is checked for every event and every waiting `expect` call,
    /// of which there may be a thousand.
    struct Prefilter {
        /// The events at which a match is possible.
        enum Subject {
            /// At a push's own event.
            case push
            /// At the events at which a push reaches devices.
            case pushOnDevice
            case event(Event.Kind)
            case anyEvent
        }

        var subject = Subject.push
        var app: Int?
        var token: Int?
        var topic: Int?
        var isAccepted: Bool?
        var after: UInt64 = 0
        var upTo = UInt64.max

        /// False if the push cannot match; true if the full filter must decide.
        func mayMatch(_ row: Journal.Row) -> Bool {
            if let app, app != row.app, app != row.project { return false }
            return fits(row) && row.seq > after && row.seq <= upTo
        }

        private func fits(_ row: Journal.Row) -> Bool {
            if let token, token != row.token { return false }
            if let topic, topic != row.topic { return false }
            return isAccepted == nil || isAccepted == row.isAccepted
        }

        /// False if nothing can match at this event; true if the full filter must decide.
        func mayMatch(_ logged: borrowing LoggedEvent) -> Bool {
            switch subject {
            case .push:
                guard let row = logged.row, row.seq == logged.seq else { return false }
                return mayMatch(row)
            case .pushOnDevice:
                guard logged.reachesDevice, let row = logged.row else { return false }
                return mayMatch(row)
            case .event(let kind): guard logged.event.kind == kind else { return false }
            case .anyEvent: break
            }
            guard logged.seq > after, logged.seq <= upTo else { return false }
            if let app, app != logged.app, app != logged.row?.app, app != logged.row?.project { return false }
            guard let row = logged.row else { return token == nil && topic == nil && isAccepted == nil }
            return fits(row)
        }
    }
}

/// An event with the push behind it. Expectations are compared with it.
struct LoggedEvent {
    let event: Event
    /// The push behind the event; nil if it has no push, or if the log has forgotten it.
    let row: Journal.Row?
    /// The hash of the event's app.
    let app: Int

    init(_ event: Event, _ row: Journal.Row?) {
        self.event = event
        self.row = row
        app = event.app.hashValue
    }

    var seq: UInt64 { event.seq }

    /// Whether the event says that its push is for a device or has reached one.
    var reachesDevice: Bool { event.device != nil && Journal.kindsThatNameDevices.contains(event.kind) }
}

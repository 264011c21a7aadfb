internal import PushCore

extension MessageFilter {
    /// The part of the filter that needs only numbers. It is checked for every event and every waiting `expect`, of which
    /// there may be thousands.
    struct Prefilter {
        /// At which events something may match.
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
        func mayMatch(_ moment: borrowing Moment) -> Bool {
            switch subject {
            case .push:
                guard let row = moment.row, row.seq == moment.seq else { return false }
                return mayMatch(row)
            case .pushOnDevice:
                guard moment.reachesDevice, let row = moment.row else { return false }
                return mayMatch(row)
            case .event(let kind): guard moment.event.kind == kind else { return false }
            case .anyEvent: break
            }
            guard moment.seq > after, moment.seq <= upTo else { return false }
            if let app, app != moment.app, app != moment.row?.app, app != moment.row?.project { return false }
            guard let row = moment.row else { return token == nil && topic == nil && isAccepted == nil }
            return fits(row)
        }
    }
}

/// An event, as expectations are compared with it.
struct Moment {
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

    /// Whether the push is addressed to the event's device, or reaches it.
    var reachesDevice: Bool { event.device != nil && Journal.kindsThatNameDevices.contains(event.kind) }
}

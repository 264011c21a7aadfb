internal import Devices
package import HTTPCore
internal import JSON
package import PushCore
package import PushEngine

/// An open `GET /events` request, which follows the event log.
///
/// A class, because a write to one stream may end it or others while the gateway iterates over all of them.
package final class EventStream {
    package enum Format {
        /// `text/event-stream`, as browsers read it.
        case serverSent
        /// `application/x-ndjson`: one JSON object per line.
        case lines
    }

    /// When the stream ends.
    package struct End {
        /// Whether the stream continues with future events. If not, it ends after the newest event.
        package let follows: Bool
        /// How many more events it may send.
        package var remaining: Int
    }

    /// Which events the stream sends.
    package struct Filter {
        /// All kinds if it is empty.
        var kinds: Set<Event.Kind> = []
        var app: String?
        /// The pushes that the events are about; all events if it is empty.
        var pushIDs: Set<PushID> = []
        var device: DeviceID?
        /// A filter on what was pushed. Only events about pushes that match it are sent; all events if it is empty.
        package var messageFilter = MessageFilter()

        /// Whether events about refused pushes may pass.
        package var wantsRefused: Bool { kinds.isEmpty || kinds.contains(.refused) || kinds.contains(.fault) }

        /// - Parameters:
        ///   - project: the event's Firebase project, which the filter `app` matches too.
        ///   - message: the push that the event is about.
        package func matches(_ event: Event, project: () -> String?, message: (PushID) -> Message?) -> Bool {
            guard kinds.isEmpty || kinds.contains(event.kind),
                pushIDs.isEmpty || event.push.map(pushIDs.contains) ?? false,
                device == nil || device == event.device, app == nil || app == event.app || app == project()
            else { return false }
            return messageFilter.matchesEverything || event.push.flatMap(message).map(messageFilter.matches) ?? false
        }
    }

    package let format: Format
    package let filter: Filter
    package var end: End
    /// The number of the last event that was read.
    package var position: UInt64
    package var replyTarget = ReplyTarget(connection: ClientID(slot: 0, generation: 0), stream: nil)
    /// Loop time of the last write.
    package var lastWritten: UInt64 = 0
    package var isOver = false
    /// How many events the log dropped before this stream could read them.
    package private(set) var missedSoFar: UInt64 = 0

    init(format: Format, _ filter: Filter, end: End, position: UInt64) {
        self.format = format
        self.filter = filter
        self.end = end
        self.position = position
    }

    /// A stream of all events after this number, as lines, for a reader inside the gateway.
    package static func all(after position: UInt64) -> EventStream {
        EventStream(format: .lines, Filter(), end: End(follows: true, remaining: .max), position: position)
    }

    package var contentType: String { format == .serverSent ? "text/event-stream" : "application/x-ndjson" }

    /// - Parameter ids: the ids in the answer, if the event is about an answer to a push.
    package func text(_ event: Event, _ ids: AnsweredIDs?) -> [UInt8] {
        var json = JSONWriter()
        event.write(to: &json, ids)
        let body = json.finish()
        guard format == .serverSent else { return body + [UInt8(ascii: "\n")] }
        return Array("id: \(event.seq)\nevent: \(event.kind.rawValue)\ndata: ".utf8) + body + Array("\n\n".utf8)
    }

    /// The message that the log dropped `count` events before this stream could read them.
    package func missed(_ count: UInt64) -> [UInt8] {
        missedSoFar += count
        let body = #"{"kind":"missed","count":\#(count)}"#
        return Array((format == .serverSent ? "event: missed\ndata: \(body)\n\n" : body + "\n").utf8)
    }
}

extension HeaderName {
    package static let cacheControl = HeaderName("cache-control")
    static let lastEventID = HeaderName("last-event-id")
}

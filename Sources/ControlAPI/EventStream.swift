package import PushEngine
internal import Devices
package import HTTPCore
internal import JSON
package import PushCore

/// Somebody who reads the log as it grows. An object: writing to one may end it, or others.
package final class EventStream {
    package enum Format {
        /// `text/event-stream`, as browsers read it.
        case serverSent
        /// An object a line.
        case lines
    }

    package let format: Format
    let kinds: Set<Event.Kind>
    let app: String?
    /// It goes on with what comes; else it ends with what is there.
    package let follows: Bool
    /// The last event that was looked at.
    package var position: UInt64
    package var replyTarget = ReplyTarget(connection: ClientID(slot: 0, generation: 0), stream: nil)
    /// Loop time of the last that was written.
    package var lastWritten: UInt64 = 0
    package var isOver = false

    init(format: Format, kinds: Set<Event.Kind>, app: String?, follows: Bool, position: UInt64) {
        self.format = format
        self.kinds = kinds
        self.app = app
        self.follows = follows
        self.position = position
    }

    package var contentType: String { format == .serverSent ? "text/event-stream" : "application/x-ndjson" }

    /// - Parameter project: another name that the app goes by.
    package func wants(_ event: Event, project: () -> String?) -> Bool {
        (kinds.isEmpty || kinds.contains(event.kind)) && (app == nil || app == event.app || app == project())
    }

    package func text(_ event: Event) -> [UInt8] {
        var json = JSONWriter()
        event.write(to: &json)
        let body = json.finish()
        guard format == .serverSent else { return body + [UInt8(ascii: "\n")] }
        return Array("id: \(event.seq)\nevent: \(event.kind.rawValue)\ndata: ".utf8) + body + Array("\n\n".utf8)
    }

    /// So many were forgotten before they could be read.
    package func missed(_ count: UInt64) -> [UInt8] {
        let body = #"{"kind":"missed","count":\#(count)}"#
        return Array((format == .serverSent ? "event: missed\ndata: \(body)\n\n" : body + "\n").utf8)
    }
}

extension HeaderName {
    package static let cacheControl = HeaderName("cache-control")
    static let lastEventID = HeaderName("last-event-id")
}

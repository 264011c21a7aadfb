internal import PushEngine
internal import Devices
internal import HTTPCore
internal import JSON
internal import PushCore

/// Somebody who reads the log as it grows. An object: writing to one may end it, or others.
final class EventStream {
    enum Format {
        /// `text/event-stream`, as browsers read it.
        case serverSent
        /// An object a line.
        case lines
    }

    let format: Format
    let kinds: Set<Event.Kind>
    let app: String?
    /// It goes on with what comes; else it ends with what is there.
    let follows: Bool
    /// The last event that was looked at.
    var position: UInt64
    var replyTarget = ReplyTarget(connection: ConnectionID(slot: 0, generation: 0), stream: nil)
    /// Loop time of the last that was written.
    var lastWritten: UInt64 = 0
    var isOver = false

    init(format: Format, kinds: Set<Event.Kind>, app: String?, follows: Bool, position: UInt64) {
        self.format = format
        self.kinds = kinds
        self.app = app
        self.follows = follows
        self.position = position
    }

    var contentType: String { format == .serverSent ? "text/event-stream" : "application/x-ndjson" }

    /// - Parameter project: another name that the app goes by.
    func wants(_ event: Event, project: () -> String?) -> Bool {
        (kinds.isEmpty || kinds.contains(event.kind)) && (app == nil || app == event.app || app == project())
    }

    func text(_ event: Event) -> [UInt8] {
        var json = JSONWriter()
        event.write(to: &json)
        let body = json.finish()
        guard format == .serverSent else { return body + [UInt8(ascii: "\n")] }
        return Array("id: \(event.seq)\nevent: \(event.kind.rawValue)\ndata: ".utf8) + body + Array("\n\n".utf8)
    }

    /// So many were forgotten before they could be read.
    func missed(_ count: UInt64) -> [UInt8] {
        let body = #"{"kind":"missed","count":\#(count)}"#
        return Array((format == .serverSent ? "event: missed\ndata: \(body)\n\n" : body + "\n").utf8)
    }
}

extension Gateway {
    /// Octets that may wait for one reader before he is given no more.
    private static let streamRoom = 256 << 10
    private static let eventsATurn = 500
    private static let streamCapacity = 1000

    var hasRoomForStream: Bool { streams.count < Self.streamCapacity }
    var hasStreamsToFeed: Bool {
        streams.contains { ($0.position < engine.events.newest || !$0.follows) && hasRoom($0.replyTarget) }
    }

    func open(_ stream: EventStream, _ replyTarget: ReplyTarget) {
        stream.replyTarget = replyTarget
        stream.lastWritten = loopNow
        streams.append(stream)
        answer(
            Response(
                status: 200, headers: HeaderBlock([.contentType: stream.contentType, .cacheControl: "no-store"]),
                body: .stream), to: replyTarget)
        workLater()
    }

    /// Everybody is told so many events.
    func feedStreams() {
        for stream in streams where !stream.isOver && hasRoom(stream.replyTarget) {
            var output: [UInt8] = []
            let oldest = engine.events.newest - UInt64(engine.events.count)
            if stream.position < oldest {
                output += stream.missed(oldest - stream.position)
                stream.position = oldest
            }
            var left = Self.eventsATurn
            while stream.position < engine.events.newest, left > 0, output.count < Self.streamRoom {
                stream.position += 1
                left -= 1
                if let event = engine.events.event(stream.position),
                    stream.wants(event, project: { project(of: event) })
                {
                    output += stream.text(event)
                }
            }
            write(output, to: stream, ends: !stream.follows && stream.position >= engine.events.newest)
        }
        streams.removeAll(where: \.isOver)
    }

    private func project(of event: Event) -> String? {
        if case .push(let record) = event.detail, record.provider == .fcm {
            return engine.events.request(at: record.request).flatMap { MessageFacts($0, .fcm).project }
        }
        return event.device.flatMap { engine.devices.place(of: $0) }.flatMap { engine.devices[$0].project }
    }

    /// Silence looks like a dead connection, to proxies and to us.
    func keepStreamsAlive() {
        for stream in streams
        where stream.format == .serverSent && loopNow - stream.lastWritten > configuration.heartbeat / 2 {
            write(Array(":\n\n".utf8), to: stream, ends: false)
        }
    }

    func endStreams() {
        for stream in streams { write([], to: stream, ends: true) }
        streams = []
    }

    private func write(_ bytes: [UInt8], to reader: EventStream, ends: Bool) {
        if bytes.isEmpty && !ends || reader.isOver { return }
        reader.lastWritten = loopNow
        reader.isOver = ends
        guard let connection = connections[reader.replyTarget.connection] else {
            reader.isOver = true
            return
        }
        switch connection.layer {
        case .http1(let channel): channel.stream(bytes, ends: ends)
        case .http2(let channel):
            if let stream = reader.replyTarget.stream { channel.stream(bytes, on: stream, ends: ends) }
        case .opening, .handshaking, .sniffing, .webSocket: break
        }
        connection.flush()
    }

    private func hasRoom(_ replyTarget: ReplyTarget) -> Bool {
        guard let connection = connections[replyTarget.connection] else { return true }
        var waiting = connection.transport.pendingBytes
        if case .http2(let channel) = connection.layer, let stream = replyTarget.stream {
            waiting += channel.unsentBytes(on: stream)
        }
        return waiting < Self.streamRoom
    }
}

extension HeaderName {
    static let cacheControl = HeaderName("cache-control")
    static let lastEventID = HeaderName("last-event-id")
}

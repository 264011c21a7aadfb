internal import ControlAPI
internal import Devices
internal import HTTP2
internal import HTTPCore
internal import PushCore
internal import PushEngine

/// Sends new events to the open streams of `GET /events`.
extension Gateway {
    /// The number of unsent bytes at which a stream temporarily gets no more events.
    private static let unsentLimit = 256 << 10
    private static let eventsPerTurn = 100
    /// The number of events that are added to the journal for one stream and turn.
    private static let journalSlice = 256
    static let streamCapacity = 1000

    var hasStreamsToFeed: Bool {
        streams.contains { ($0.position < box.engine.events.newest || !$0.end.follows) && hasRoom($0.replyTarget) }
    }

    func open(_ stream: EventStream, _ replyTarget: ReplyTarget) {
        stream.replyTarget = replyTarget
        stream.lastWritten = loopNow
        streams.append(stream)
        answer(
            Response(
                status: 200, headers: HeaderBlock([.contentType: stream.contentType, .cacheControl: "no-store"]),
                body: .stream), to: replyTarget)
        // Firefox gives a page the answer only when the first bytes of the body are there.
        if stream.end.follows { keepAlive(stream) }
        scheduleWork()
    }

    /// Sends streams their next events, up to `eventsPerTurn` to each, until the turn is over.
    func feedStreams() {
        var fed = 0
        for stream in streams {
            fed += 1
            guard !stream.isOver, hasRoom(stream.replyTarget),
                stream.position < box.engine.events.newest || !stream.end.follows
            else { continue }
            let output = nextEvents(of: stream)
            let isAtNewest = stream.position >= box.engine.events.newest
            write(output, to: stream, ends: stream.end.remaining == 0 || !stream.end.follows && isAtNewest)
            if turn.isOver { break }
        }
        // The streams that got their turn now come last in the next call. Writing may have removed some.
        fed = min(fed, streams.count)
        streams = streams[fed...].filter { !$0.isOver } + streams[..<fed].filter { !$0.isOver }
    }

    /// The text of a stream's next events. Where events are missing, the text says how many.
    func nextEvents(of stream: EventStream) -> [UInt8] {
        var output: [UInt8] = []
        var missed: UInt64 = 0
        for _ in 0..<Self.eventsPerTurn {
            let (position, newest) = (stream.position, box.engine.events.newest)
            guard position < newest, stream.end.remaining > 0, output.count < Self.unsentLimit else { break }
            let event = box.engine.events.event(after: position)
            // The journal finds the push that the event is about.
            if let event, !stream.filter.messageFilter.matchesEverything {
                guard box.engine.updateJournal(to: event.seq, atMost: Self.journalSlice) else { break }
            }
            missed += box.engine.events.missed(
                after: position, before: event?.seq ?? newest + 1, includesRefused: stream.filter.wantsRefused)
            stream.position = event?.seq ?? newest
            guard let event,
                stream.filter.matches(
                    event, project: { box.engine.project(of: event) }, message: { box.engine.message(of: $0) })
            else { continue }
            if missed > 0 { output += stream.missed(missed) }
            missed = 0
            output += stream.text(event, ids(of: event))
            stream.end.remaining -= 1
        }
        if missed > 0 { output += stream.missed(missed) }
        return output
    }

    /// The ids in the answer that the event is about.
    private func ids(of event: Event) -> AnsweredIDs? {
        guard case .push(let record) = event.detail else { return nil }
        return box.engine.answeredIDs(of: record)
    }

    /// Sends comments to idle streams of server-sent events, because proxies and timeouts close a silent connection.
    /// The format `lines` has no comments.
    func keepStreamsAlive() {
        for stream in streams where loopNow - stream.lastWritten > configuration.heartbeat / 2 { keepAlive(stream) }
    }

    private func keepAlive(_ stream: EventStream) {
        if stream.format == .serverSent { write(Array(":\n\n".utf8), to: stream, ends: false) }
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
        case .opening, .held, .handshaking, .sniffing, .webSocket, .relay, .mcs: break
        }
        connection.flush()
    }

    func hasRoom(_ replyTarget: ReplyTarget) -> Bool {
        guard let connection = connections[replyTarget.connection] else { return true }
        var waiting = connection.transport.pendingBytes
        switch connection.layer {
        case .http1(let channel): waiting += channel.output.count
        case .http2(let channel):
            if let stream = replyTarget.stream {
                waiting += channel.server.unsentBytes(on: stream) + channel.server.unsentAnswers
            }
        case .opening, .held, .handshaking, .sniffing, .webSocket, .relay, .mcs: break
        }
        return waiting < Self.unsentLimit
    }
}

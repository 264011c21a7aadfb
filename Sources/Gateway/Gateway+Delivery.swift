internal import JSON
internal import PushCore

/// From the log to the sockets. The provider's answer goes out first; then everybody has his turn.
extension Gateway {
    /// A frame on its way to those who watch a device.
    struct Outgoing {
        let frame: [UInt8]
        var viewers: ArraySlice<ConnectionID>
    }

    /// Things done before somebody else has his turn, unless this many frames wait already.
    private static let slice = 64
    private static let backlog = 1024
    /// What a broadcast that is not through counts for among them.
    private static let fanOutWeight = 16

    var hasWork: Bool { hasReaders || !outgoing.isEmpty || !replays.isEmpty || !desk.wakes.isEmpty || !desk.late.isEmpty || !desk.notices.isEmpty || !desk.fanOuts.isEmpty }

    /// Somebody waits for what has come into the log.
    private var hasReaders: Bool { keeper?.hasWork == true || hasExpectationsToJudge || !streams.isEmpty && hasStreamsToFeed }

    /// Does what is next; what is left waits for the loop's next turn.
    func workOff() {
        defer { flushWritten() }
        var left = Self.slice
        while hasWork {
            let waiting = outgoing.count + desk.notices.count + Self.fanOutWeight * desk.fanOuts.count
            if left <= 0, waiting < Self.backlog, let scheduleMore { return scheduleMore() }
            left -= 1
            if let keeper, keeper.isBehind { keeper.catchUp() }
            if let keeper, keeper.hasWork { keeper.begin() }
            if hasExpectationsToJudge { judgeExpectations() }
            if !streams.isEmpty, hasStreamsToFeed { feedStreams() }
            if !desk.wakes.isEmpty || !desk.late.isEmpty {
                scheduleWakes()
            } else if !outgoing.isEmpty {
                writeNext()
            } else if !replays.isEmpty {
                workOffReplay()
            } else if !desk.notices.isEmpty {
                encodeNotices(&left)
            } else if !desk.fanOuts.isEmpty {
                desk.workOffFanOuts(1, at: clock.now)
            }
        }
    }

    /// To be called where work came up outside of a connection's own turn.
    func workLater() {
        guard hasWork || !written.isEmpty else { return }
        if let scheduleMore { scheduleMore() } else { workOff() }
    }

    /// Several in a go, as long as each is written at once.
    private func encodeNotices(_ left: inout Int) {
        while let notice = desk.notices.popFirst() {
            encode(notice)
            if left <= 0 || !outgoing.isEmpty { return }
            left -= 1
        }
    }

    func tellWhatWaits() {
        while let notice = desk.notices.popFirst() { encode(notice) }
    }

    private func writeNext() {
        var next: ConnectionID?
        outgoing.withFirst { next = $0.viewers.popFirst() }
        if let next, let frame = outgoing.first?.frame { write(frame, to: next) } else { _ = outgoing.popFirst() }
    }

    private func write(_ frame: [UInt8], to id: ConnectionID) {
        guard let connection = connections[id], case .webSocket(let channel) = connection.layer else { return }
        channel.send(text: frame)
        wrote(to: connection, channel, behind: connection.transport.pendingBytes)
    }

    /// Each socket once, however many frames it got.
    func flushWritten() {
        let sockets = written
        written = []
        for id in sockets { connections[id]?.flush() }
    }

    /// At once where few want it; else, or behind others, in turns.
    func tell(_ frame: [UInt8], _ viewers: ArraySlice<ConnectionID>) {
        guard viewers.count <= Self.few, outgoing.isEmpty else { return outgoing.append(Outgoing(frame: frame, viewers: viewers)) }
        for id in viewers { write(frame, to: id) }
    }

    private static let few = 16

    /// Each kind of frame is made once for all who want it: the push, then what happened.
    private func encode(_ notice: PushDesk.Notice) {
        if notice.viewers.count == 1, outgoing.isEmpty, let viewer = notice.viewers.first { return write(notice, to: viewer) }
        if let push = notice.push, notice.viewers.contains(where: { $0.wants.contains(.push) }) {
            let isManual = notice.viewers.contains(where: \.isManual)
            let attempt = desk.noteSent(push.id, notice.event.seq, notice.place, isManual: isManual)
            for hasRaw in [false, true] {
                let wanting = notice.viewers.filter { $0.wants.contains(.push) && $0.wants.contains(.raw) == hasRaw }
                enqueue(wanting[...]) { DeviceFrame.push(push, as: notice.event, attempt: attempt, hasRaw: hasRaw, &payloads) }
            }
        }
        if case .deleted(let count) = notice.event.detail {
            enqueue(notice.viewers.filter { $0.wants.contains(.push) }[...]) { DeviceFrame.object("deleted") { $0.member("count", count) } }
        }
        if notice.event.kind == .token { enqueue(notice.viewers) { DeviceFrame.token(notice.event) } }
        enqueue(notice.viewers.filter { $0.wants.contains(.event) }[...]) { DeviceFrame.event(notice.event, &shared) }
    }

    /// To the only one who watches: nothing is sorted out or queued, and each frame is written where the last one was.
    private func write(_ notice: PushDesk.Notice, to viewer: PushDesk.Viewer) {
        // Counted whether the socket is still there or not: what is not acknowledged comes again.
        let push = viewer.wants.contains(.push) ? notice.push : nil
        let attempt = push.map { desk.noteSent($0.id, notice.event.seq, notice.place, isManual: viewer.isManual) }
        guard let connection = connections[viewer.connection], case .webSocket(let channel) = connection.layer else { return }
        let pending = connection.transport.pendingBytes
        var room: [UInt8] = []
        swap(&room, &frameRoom)
        if viewer.wants.contains(.push) {
            if let push, let attempt {
                room = DeviceFrame.push(push, as: notice.event, attempt: attempt, hasRaw: viewer.wants.contains(.raw), &payloads, in: consume room)
                channel.send(text: room, behind: pending)
            }
            if case .deleted(let count) = notice.event.detail { channel.send(text: DeviceFrame.object("deleted") { $0.member("count", count) }) }
        }
        if notice.event.kind == .token { channel.send(text: DeviceFrame.token(notice.event)) }
        if viewer.wants.contains(.event) {
            room = DeviceFrame.event(notice.event, &shared, in: consume room)
            channel.send(text: room, behind: pending)
        }
        if room.capacity <= Self.roomKept { swap(&room, &frameRoom) }
        wrote(to: connection, channel, behind: pending)
    }

    private static let roomKept = 1 << 16

    private func wrote(to connection: Connection, _ channel: WebSocketChannel, behind pending: Int) {
        if !channel.hasRoom(behind: pending) { connection.flush() }
        if written.last != connection.id { written.append(connection.id) }
    }

    private func enqueue(_ viewers: ArraySlice<PushDesk.Viewer>, _ frame: () -> [UInt8]) {
        guard !viewers.isEmpty else { return }
        tell(frame(), viewers.map(\.connection)[...])
    }
}

package import PushCore

/// One connection of a client over MCS. Both sides count their frames from 1.
package struct MCSSession {
    private var decoder = MCSDecoder()
    /// The client, once it has logged in.
    package private(set) var client: UInt64?
    private(set) var output: [UInt8] = []
    private var received: UInt64 = 0
    private var sent: UInt64 = 0
    /// Milliseconds of silence after which the server sends a heartbeat; nil if the client wants none.
    private var silence: UInt64?
    /// The time of the last heartbeat that the server has sent, in milliseconds of the loop.
    private var lastPing: UInt64 = 0

    /// The milliseconds after which a client sends a heartbeat, which acknowledges what has arrived. Google lets
    /// browsers choose 15 minutes or more; a short interval shows test authors sooner that a push has arrived.
    package static let heartbeat = 30_000
    private static let version: UInt8 = 41
    /// Milliseconds. A client may not have the server send heartbeats oftener.
    private static let shortestSilence: UInt64 = 1000
    /// Bytes. While more wait to be sent, the client gets no more pushes, and its frames are not read.
    private static let mostOutput = 128 << 10

    package init() {}

    package var isFull: Bool { output.count >= Self.mostOutput }

    /// Moves at most `limit` bytes of the output.
    package mutating func drain(into bytes: inout [UInt8], upTo limit: Int) {
        let piece = output.prefix(max(0, limit))
        bytes += piece
        // An array that was large once would keep its memory.
        if piece.count == output.count { output = [] } else { output.removeFirst(piece.count) }
    }

    package var unfinishedBytes: Int { decoder.unfinished }

    package mutating func append(_ bytes: Span<UInt8>) { decoder.append(bytes) }

    /// Handles the next frame. Returns false if none is complete.
    package mutating func handleNext(_ book: inout ReceiverBook, _ session: ClientID, at now: Timestamp)
        throws(MCSProblem) -> Bool
    {
        guard let (tag, body) = try decoder.next() else { return false }
        received += 1
        if tag == .loginRequest {
            guard client == nil else { throw .unexpected(tag.rawValue) }
            try logIn(try Self.reading { () throws(ProtoReader.Damage) in try MCSLogin(body) }, &book, session, at: now)
        } else {
            try handle(tag, body, &book, session)
        }
        return true
    }

    private mutating func logIn(
        _ login: MCSLogin, _ book: inout ReceiverBook, _ session: ClientID, at now: Timestamp
    ) throws(MCSProblem) {
        output.append(Self.version)
        guard let receiver = login.receiver, book.connect(receiver, session) else {
            write(.loginResponse, login.refusal)
            throw .refusedLogin
        }
        client = receiver.android
        write(.loginResponse, login.answer(heartbeat: Self.heartbeat, serverTime: now.milliseconds))
        book.acknowledge(login.receivedIDs, by: receiver.android)
        // A client forgets these ids only when it knows that they have arrived.
        if !login.receivedIDs.isEmpty { acknowledgeClient() }
        book.startAgain(receiver.android)
        silence = login.wantedHeartbeat.map { max($0, Self.shortestSilence) }
    }

    /// Writes a heartbeat if the client wants one after so much silence. Returns whether it did.
    ///
    /// - Parameters:
    ///   - now: the time of the loop, in milliseconds.
    ///   - idle: the milliseconds for which nothing has come from the client.
    package mutating func sendHeartbeat(at now: UInt64, idle: UInt64) -> Bool {
        guard let silence, min(idle, now &- lastPing) >= silence, !isFull else { return false }
        lastPing = now
        var ping = ProtoWriter()
        ping.number(2, received)
        write(.heartbeatPing, ping.bytes)
        return true
    }

    private mutating func handle(
        _ tag: MCSTag, _ body: ArraySlice<UInt8>, _ book: inout ReceiverBook, _ session: ClientID
    ) throws(MCSProblem) {
        guard let client else { throw .unexpected(tag.rawValue) }
        guard book.isCurrent(session, of: client) else { throw .replaced }
        switch tag {
        case .close: throw .closedByClient
        case .loginRequest, .loginResponse: throw .unexpected(tag.rawValue)
        case .streamError: break
        case .heartbeatPing, .heartbeatAck, .iq, .dataMessage:
            let ack = try Self.reading { () throws(ProtoReader.Damage) in try MCSAcknowledgement(tag, body) }
            if let streamID = ack.streamID { book.acknowledge(upTo: streamID, by: client) }
            book.acknowledge(ack.ids, by: client)
            if tag == .heartbeatPing {
                var answer = ProtoWriter()
                answer.number(2, received)
                write(.heartbeatAck, answer.bytes)
            } else if ack.wantsAnswer {
                acknowledgeClient()
            }
        }
    }

    /// Tells the client that the connection ends, so that it connects again at once.
    package mutating func close() { if client != nil { write(.close, []) } }

    private mutating func acknowledgeClient() { write(.iq, MCSAcknowledgement.frame(upTo: received)) }

    /// Writes pushes that wait for the client, as many as there is room for. Returns whether there were any.
    package mutating func deliver(from book: inout ReceiverBook, _ session: ClientID, at now: Timestamp) -> Bool {
        let before = sent
        guard let client, book.isCurrent(session, of: client) else { return false }
        while !isFull, let message = book.nextMessage(for: client, as: sent + 1, received: received, at: now) {
            write(.dataMessage, message)
        }
        return sent > before
    }

    private mutating func write(_ tag: MCSTag, _ body: [UInt8]) {
        sent += 1
        output.append(tag.rawValue)
        ProtoWriter.append(UInt64(body.count), to: &output)
        output += body
    }

    private static func reading<Value>(
        _ body: () throws(ProtoReader.Damage) -> Value
    ) throws(MCSProblem) -> Value {
        do throws(ProtoReader.Damage) { return try body() } catch { throw .damagedMessage }
    }
}

internal import HTTPCore
internal import JSON
internal import Platform
internal import Receivers
internal import WebSocket

/// A WebSocket on a connection.
final class WebSocketChannel: Channel {
    unowned let connection: Connection
    private let kind: Kind
    private var decoder: FrameDecoder
    private var output: [UInt8]
    private var hasSentClose = false
    private(set) var isFinished = false
    /// Nil for an echo.
    private let device: DeviceSocket?
    /// Nil for other kinds.
    var autopush: AutopushSession?
    /// Loop time when the socket was opened, or when our Close frame was sent.
    private var phaseStart: UInt64
    /// Bytes that are reserved from the gateway's budget for the unfinished message.
    private var reservedBytes = 0
    /// The earliest loop time at which the unfinished message can have begun.
    private var messageBegan: UInt64 = 0
    /// Loop time of the last progress of the unfinished message.
    private var stalledSince: UInt64
    /// Loop time of our last ping.
    private var lastPing: UInt64

    /// Milliseconds that a client has to send `hello` (docs/devices.md), and to answer our Close frame.
    private static let replyTimeout: UInt64 = 5000

    /// - Parameter handshake: the answer to the handshake, which is sent first.
    init(_ connection: Connection, _ kind: Kind, handshake: [UInt8]) {
        self.connection = connection
        self.kind = kind
        decoder = FrameDecoder(expectsMask: true, messageLimit: kind.messageLimit)
        output = handshake
        phaseStart = connection.gateway.loopNow
        stalledSince = phaseStart
        lastPing = phaseStart
        if case .device = kind { device = DeviceSocket(connection.id, connection.gateway) } else { device = nil }
        if case .autopush(let base) = kind { autopush = AutopushSession(base: base) }
    }

    /// The number of frames between two looks at the time.
    private static let framesBetweenChecks = 16

    func receive(_ bytes: Span<UInt8>) -> Int {
        var offset = 0
        var frames = 0
        do throws(CloseCode) {
            while !isFinished, let event = try decoder.next(bytes, from: &offset) {
                handle(event)
                frames += 1
                if frames % Self.framesBetweenChecks == 0, offset < bytes.count, connection.gateway.turn.isOver {
                    return offset
                }
            }
            try reserve(decoder.unfinishedBytes)
        } catch {
            close(error, "")
            isFinished = true
        }
        return bytes.count
    }

    func drain(into output: inout [UInt8], upTo limit: Int) {
        deliverAutopush()
        output.append(contentsOf: self.output)
        self.output.removeAll(keepingCapacity: false)
    }

    /// Whether the socket is open, and the unsent output well below the limit.
    var hasRoom: Bool { !hasSentClose && output.count + connection.transport.pendingBytes < kind.outputLimit / 4 }

    func send(text: [UInt8]) { send(.text, text) }

    /// Whether frames may be sent directly, because no output waits here and the socket is open.
    var takesFramesDirectly: Bool {
        output.isEmpty && !hasSentClose && connection.transport.pendingBytes <= kind.outputLimit
    }

    func send(frames: Span<UInt8>) {
        guard !hasSentClose, !closeIfTooSlow() else { return }
        output.append(addingCapacity: frames.count) { $0.copy(frames) }
    }

    func peerEnded() -> PeerEndReaction { .close }

    func sweep(at now: UInt64, idle: UInt64) -> SweepReaction {
        let configuration = connection.gateway.configuration
        let received = connection.lastReceived
        if connection.transport.pendingBytes > 0, idle > configuration.stallTimeout { return .close }
        if hasSentClose {
            isFinished = now - phaseStart > Self.replyTimeout
        } else if !isGreeted, now - phaseStart > Self.replyTimeout {
            close(.noHello, "no 'hello' within 5 s")
        } else if reservedBytes > 0, isMessageLate(at: now) {
            close(.notAllowed, "a message was started but not finished")
        } else if now - received > 2 * configuration.heartbeat {
            isFinished = true
        } else if now - max(received, lastPing) > configuration.heartbeat {
            lastPing = now
            send(.ping, [])
        } else {
            return .nothing
        }
        return .flush
    }

    /// Whether the client has sent a valid `hello`, if its protocol has one.
    private var isGreeted: Bool { device?.isGreeted ?? autopush.map { $0.client != nil } ?? true }

    private func isMessageLate(at now: UInt64) -> Bool {
        // While nothing is read, the client can't go on with the message.
        if !connection.isReading { (messageBegan, stalledSince) = (now, now) }
        return now - stalledSince > connection.gateway.configuration.stallTimeout
            || MinimumRate.isMissed(reservedBytes, since: messageBegan, at: now)
    }

    func endForAbuse(_ reason: String) {
        close(.notAllowed, reason)
        isFinished = true
    }

    func shutDown() {
        if device?.isGreeted == true { send(text: DeviceFrame.bye("the gateway is shutting down")) }
        close(.goingAway, "the gateway is shutting down")
        if autopush != nil { isFinished = true }  // Firefox answers no Close frame (docs/evidence/receivers.md §7.2).
    }

    /// Releases the device and the budget. Called when the connection ends.
    func detach() {
        device?.detach()
        detachAutopush()
        connection.gateway.bodyBudget.giveBack(reservedBytes)
        reservedBytes = 0
    }

    private func handle(_ event: FrameDecoder.Event) {
        if case .close(let code, _) = event {
            close(code ?? .normal, "")
            isFinished = true
        }
        guard !hasSentClose else { return }
        switch event {
        case .message(let opcode, let bytes):
            connection.workBudget.earn(bodyLength: bytes.count)
            messageBegan = connection.gateway.loopNow
            if autopush != nil { return receiveAutopush(bytes) }
            guard let device else { return send(opcode, bytes) }
            guard opcode == .text else { return close(.unsupportedData, "send text frames") }
            switch device.receive(bytes) {
            case .reply(let text): send(text: text)
            case .close(let code, let reason): close(code, reason)
            }
        case .ping(let bytes): send(.pong, bytes)
        case .pong, .close: break
        }
    }

    /// Sends a frame, unless the client is too slow.
    private func send(_ opcode: Opcode, _ bytes: [UInt8]) {
        guard !hasSentClose, !closeIfTooSlow() else { return }
        FrameEncoder.append(opcode, bytes, into: &output)
    }

    /// Closes the socket if its client does not read. Returns whether it closed the socket.
    private func closeIfTooSlow() -> Bool {
        guard output.count + connection.transport.pendingBytes > kind.outputLimit else { return false }
        let gateway = connection.gateway
        gateway.log(
            .warning, "socket closed", at: gateway.clock.now,
            [
                "code": Int(CloseCode.tooSlow.rawValue), "device": device?.name ?? "",
                "because": "the client does not read: \(kind.outputLimit) bytes are unsent",
            ])
        close(.tooSlow, "the client does not read")
        isFinished = true
        return true
    }

    /// Reserves `count` bytes of the gateway's budget for the unfinished message, in place of the previous reservation.
    private func reserve(_ count: Int) throws(CloseCode) {
        if count != reservedBytes { stalledSince = connection.gateway.loopNow }
        if reservedBytes == 0 { messageBegan = stalledSince }
        guard connection.gateway.bodyBudget.take(max(0, count - reservedBytes)) else { throw .tooBig }
        connection.gateway.bodyBudget.giveBack(max(0, reservedBytes - count))
        reservedBytes = count
    }

    func close(_ code: CloseCode, _ reason: String) {
        guard !hasSentClose else { return }
        hasSentClose = true
        phaseStart = connection.gateway.loopNow
        device?.detach()
        FrameEncoder.appendClose(code, reason, into: &output)
    }
}

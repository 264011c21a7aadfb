internal import HTTPCore
internal import JSON
internal import Platform
internal import WebSocket

/// A WebSocket on a connection.
final class WebSocketChannel: Channel {
    enum Kind {
        /// A device client is at its end.
        case device
        /// Whatever comes goes back, for tests of the protocol.
        case echo

        /// Octets of a message, and of what may wait for a peer that does not read.
        var messageLimit: Int { self == .device ? 1 << 20 : 32 << 20 }
        var outputLimit: Int { self == .device ? Connection.outputLimit : 64 << 20 }
    }

    private unowned let connection: Connection
    private let kind: Kind
    private var decoder: FrameDecoder
    private var output: [UInt8]
    private var hasSentClose = false
    private(set) var isFinished = false
    /// Nil for an echo.
    private let device: DeviceSocket?
    /// Loop time of the opening, and then of our Close frame.
    private var since: UInt64
    /// What of the gateway's budget for unfinished messages is ours, and since when the message has stood still.
    private var held = 0
    private var stalledSince: UInt64
    /// Loop time of the last ping of ours.
    private var pinged: UInt64

    /// How long a client may take to say `hello` (protocol.md), and to answer our Close.
    private static let patience: UInt64 = 5000

    /// - Parameter before: what has to go out first, the handshake's answer.
    init(_ connection: Connection, _ kind: Kind, before: [UInt8]) {
        self.connection = connection
        self.kind = kind
        decoder = FrameDecoder(expectsMask: true, messageLimit: kind.messageLimit)
        output = before
        since = connection.gateway.loopNow
        stalledSince = since
        pinged = since
        device = kind == .device ? DeviceSocket(connection.id, connection.gateway) : nil
    }

    func receive(_ bytes: Span<UInt8>) {
        var offset = 0
        do throws(CloseCode) {
            while !isFinished, let event = try decoder.next(bytes, from: &offset) { handle(event) }
            try hold(decoder.unfinishedBytes)
        } catch {
            close(error, "")
            isFinished = true
        }
    }

    func drain(into output: inout [UInt8], upTo limit: Int) {
        output.append(contentsOf: self.output)
        self.output.removeAll(keepingCapacity: false)
    }

    /// What waits for the client is far from too much.
    var hasRoom: Bool { output.count + connection.transport.pendingBytes < kind.outputLimit / 4 }

    func send(text: [UInt8]) { send(.text, text) }

    /// Nothing waits here, for the client that is still heard.
    var isEmpty: Bool { output.isEmpty && !hasSentClose && connection.transport.pendingBytes <= kind.outputLimit }

    func send(frames: Span<UInt8>) {
        guard !hasSentClose, !isTooSlow() else { return }
        output.append(addingCapacity: frames.count) { $0.copy(frames) }
    }

    func peerEnded() -> PeerEndReaction { .close }

    func sweep(at now: UInt64, idle: UInt64) -> SweepReaction {
        let configuration = connection.gateway.configuration
        let heard = connection.lastHeard
        if connection.transport.pendingBytes > 0, idle > configuration.stallTimeout { return .close }
        if hasSentClose {
            isFinished = now - since > Self.patience
        } else if device?.isGreeted == false, now - since > Self.patience {
            close(.noHello, "no 'hello' within 5 s")
        } else if held > 0, now - stalledSince > configuration.stallTimeout {
            close(.notAllowed, "a message was begun and not ended")
        } else if now - heard > 2 * configuration.heartbeat {
            isFinished = true
        } else if now - max(heard, pinged) > configuration.heartbeat {
            pinged = now
            send(.ping, [])
        } else {
            return .nothing
        }
        return .flush
    }

    func end(_ code: CloseCode, _ reason: String) { close(code, reason) }

    func shutDown() {
        if device?.isGreeted == true { send(text: DeviceFrame.bye("the gateway goes down")) }
        close(.goingAway, "the gateway goes down")
    }

    /// To be called when the connection ends.
    func detach() {
        device?.detach()
        connection.gateway.bodyBudget.giveBack(held)
        held = 0
    }

    private func handle(_ event: FrameDecoder.Event) {
        if case .close(let code, _) = event {
            close(code ?? .normal, "")
            isFinished = true
        }
        guard !hasSentClose else { return }
        switch event {
        case .message(let opcode, let bytes):
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

    /// A client that does not read is let go rather than waited for.
    private func send(_ opcode: Opcode, _ bytes: [UInt8]) {
        guard !hasSentClose, !isTooSlow() else { return }
        FrameEncoder.append(opcode, bytes, into: &output)
    }

    private func isTooSlow() -> Bool {
        guard output.count + connection.transport.pendingBytes > kind.outputLimit else { return false }
        let gateway = connection.gateway
        gateway.log(
            .warning, "socket closed", at: gateway.clock.now,
            [
                "code": String(CloseCode.tooSlow.rawValue), "device": device?.name ?? "",
                "because": "the client does not read: \(kind.outputLimit) octets wait for it",
            ])
        close(.tooSlow, "the client does not read")
        isFinished = true
        return true
    }

    private func hold(_ count: Int) throws(CloseCode) {
        if count != held { stalledSince = connection.gateway.loopNow }
        guard connection.gateway.bodyBudget.take(max(0, count - held)) else { throw .tooBig }
        connection.gateway.bodyBudget.giveBack(max(0, held - count))
        held = count
    }

    private func close(_ code: CloseCode, _ reason: String) {
        guard !hasSentClose else { return }
        hasSentClose = true
        since = connection.gateway.loopNow
        device?.detach()
        FrameEncoder.appendClose(code, reason, into: &output)
    }
}

internal import WebSocket

/// A WebSocket on a connection, with a device client at its end.
final class WebSocketChannel {
    private unowned let connection: Connection
    private var decoder = FrameDecoder(expectsMask: true, messageLimit: 1 << 20)
    private var output: [UInt8]
    private var hasSentClose = false
    private(set) var isFinished = false
    private let device: DeviceSocket
    /// Loop time of the opening, and then of our Close frame.
    private var since: UInt64

    /// How long a client may take to say `hello` (protocol.md), and to answer our Close.
    private static let patience: UInt64 = 5000

    /// - Parameter before: what has to go out first, the handshake's answer.
    init(_ connection: Connection, before: [UInt8]) {
        self.connection = connection
        output = before
        since = connection.gateway.loopNow
        device = DeviceSocket(connection.id, connection.gateway)
    }

    func receive(_ bytes: Span<UInt8>) {
        var offset = 0
        do throws(CloseCode) {
            while !isFinished, let event = try decoder.next(bytes, from: &offset) { handle(event) }
        } catch {
            close(error, "")
            isFinished = true
        }
    }

    func drain(into output: inout [UInt8]) {
        output.append(contentsOf: self.output)
        self.output.removeAll(keepingCapacity: false)
    }

    func send(text: [UInt8]) {
        send(.text, text)
    }

    /// A client that does not read is let go rather than waited for.
    private func send(_ opcode: Opcode, _ bytes: [UInt8]) {
        guard !hasSentClose else { return }
        if output.count + connection.transport.pendingBytes > Connection.outputLimit {
            close(.tooSlow, "the client does not read")
            isFinished = true
        } else {
            FrameEncoder.append(opcode, bytes, into: &output)
        }
    }

    /// True where something was said or ended because of the client's silence.
    func sweep(at now: UInt64) -> Bool {
        guard now - since > Self.patience, hasSentClose || !device.isGreeted else { return false }
        if hasSentClose { isFinished = true } else { close(.noHello, "no 'hello' within 5 s") }
        return true
    }

    func shutDown() { close(.goingAway, "the gateway goes down") }

    func detach() { device.detach() }

    private func handle(_ event: FrameDecoder.Event) {
        switch event {
        case .message(.text, let bytes):
            switch device.receive(bytes) {
            case .reply(let text): send(text: text)
            case .close(let code, let reason): close(code, reason)
            }
        case .message: close(.unsupportedData, "send text frames")
        case .ping(let bytes): send(.pong, bytes)
        case .pong: break
        case .close(let code, _):
            close(code ?? .normal, "")
            isFinished = true
        }
    }

    private func close(_ code: CloseCode, _ reason: String) {
        guard !hasSentClose else { return }
        hasSentClose = true
        since = connection.gateway.loopNow
        device.detach()
        FrameEncoder.appendClose(code, reason, into: &output)
    }
}

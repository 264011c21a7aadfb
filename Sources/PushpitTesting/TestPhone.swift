internal import PushCore
internal import WebSocket

/// A phone's client: one WebSocket to the gateway's device socket (docs/devices.md).
public final class TestPhone {
    /// The kinds of frames that a client can ask for.
    public enum Want: String, Sendable { case push, event, raw }

    private let host: any GatewayHost
    let pipe: any ClientPipe
    private var decoder = FrameDecoder(expectsMask: false, messageLimit: 64 << 20)
    var random: Random
    /// Messages that have arrived and that no call has returned yet.
    private var waiting: [TestJSON] = []
    /// How many messages with a `ref` the client has sent.
    var referenceCount = 0
    /// The gateway's answer to `hello`; null before it arrives.
    public internal(set) var welcome: TestJSON = nil
    /// The code of the gateway's Close frame; nil before it arrives.
    public private(set) var closeCode: Int?
    public private(set) var closeReason = ""
    /// The payloads of the gateway's pings and pongs.
    public private(set) var pings: [[UInt8]] = []
    public private(set) var pongs: [[UInt8]] = []
    /// Whether the client answers pings.
    public var answersPings = true

    private static let headLimit = 16 << 10

    /// Opens the socket. `request` is the handshake, and may be followed by more bytes.
    init(_ host: any GatewayHost, _ pipe: any ClientPipe, request: [UInt8], seed: UInt64) throws {
        self.host = host
        self.pipe = pipe
        random = Random(seed: seed)
        try pipe.write(request)
        var head: [UInt8] = []
        let end = Array("\r\n\r\n".utf8)
        while head.firstRange(of: end) == nil, head.count < Self.headLimit {
            let bytes = try pipe.read(waits: true)
            guard !bytes.isEmpty else { break }
            head += bytes
        }
        guard let range = head.firstRange(of: end), head.starts(with: "HTTP/1.1 101 ".utf8) else {
            let text = String(decoding: head, as: UTF8.self)
            throw TestFailure(.ended, "the gateway did not open a device socket; it answered '\(text)'")
        }
        try decode(Array(head[range.upperBound...]))
    }

    /// The next message.
    public func next() throws -> TestJSON { try take { _ in true } }

    /// The next message of that type. Messages before it stay for later calls.
    public func next(_ type: String) throws -> TestJSON { try take { $0["type"] == TestJSON(type) } }

    /// The next event of that kind. Messages before it stay for later calls.
    public func nextEvent(_ kind: String) throws -> TestJSON {
        try take { $0["type"] == "event" && $0["kind"] == TestJSON(kind) }
    }

    /// All messages that the gateway has sent so far and that no call has returned yet. Waits for the answer to a
    /// `ping` message, which follows them.
    public func received() throws -> [TestJSON] {
        _ = try ask("ping")
        defer { waiting = [] }
        return waiting
    }

    /// The pushes among the messages of `received()`.
    public func pushes() throws -> [TestJSON] { try received().filter { $0["type"] == "push" } }

    /// The events among the messages of `received()`.
    public func events() throws -> [TestJSON] { try received().filter { $0["type"] == "event" } }

    /// Processes the bytes that have arrived, without waiting.
    public func poll() throws {
        while true {
            let bytes = try pipe.read(waits: false)
            guard !bytes.isEmpty else { return }
            try decode(bytes)
        }
    }

    /// Waits until the gateway closes the socket, and returns the code.
    @discardableResult public func waitForClose() throws -> Int? {
        while closeCode == nil, !pipe.isEnded, try receive() {}
        guard closeCode != nil || pipe.isEnded else {
            throw TestFailure(
                .nothingArrived, "the gateway did not close the socket; messages that arrived: \(waiting)")
        }
        return closeCode
    }

    /// The gateway has ended the connection.
    public var isEnded: Bool { pipe.isEnded }

    /// Whether the client reads. If not, bytes accumulate in the gateway.
    public var isReading: Bool {
        get { pipe.isReading }
        set { pipe.isReading = newValue }
    }

    /// Closes the socket properly: sends a Close frame and waits for the gateway's.
    public func close(_ code: Int = 1000) throws {
        try send(frame: .close, [UInt8(truncatingIfNeeded: code >> 8), UInt8(truncatingIfNeeded: code)])
        try waitForClose()
        pipe.close()
    }

    /// Closes the connection without a Close frame.
    public func dropConnection() { pipe.close() }

    public var device: TestJSON { welcome["device"] }
    public var id: String { device["id"].string ?? "" }
    /// The app's token for that provider at the time of the `hello`.
    public func token(_ provider: String = "apns") -> String { device["tokens"][provider]["token"].string ?? "" }

    func take(_ isWanted: (TestJSON) -> Bool) throws -> TestJSON {
        while true {
            if let place = waiting.firstIndex(where: isWanted) { return waiting.remove(at: place) }
            if closeCode != nil || pipe.isEnded {
                throw TestFailure(
                    .ended,
                    "the socket is closed: \(closeCode ?? 0) \(closeReason); other messages that arrived: \(waiting)")
            }
            guard try receive() else {
                throw TestFailure(
                    .nothingArrived, "the message did not arrive; other messages that arrived: \(waiting)")
            }
        }
    }

    /// Reads once; false if nothing arrived.
    private func receive() throws -> Bool {
        let bytes = try pipe.read(waits: true)
        guard !bytes.isEmpty else { return false }
        try decode(bytes)
        return true
    }

    private func decode(_ bytes: [UInt8]) throws {
        var offset = 0
        do throws(CloseCode) {
            while let event = try decoder.next(bytes.span, from: &offset) { handle(event) }
        } catch { throw TestFailure(.badBytes, "the gateway sent a bad frame: \(error.rawValue)") }
    }

    private func handle(_ event: FrameDecoder.Event) {
        switch event {
        case .message(_, let text): waiting.append((try? TestJSON(parsing: text)) ?? nil)
        case .ping(let payload):
            pings.append(payload)
            if answersPings { try? send(frame: .pong, payload) }
        case .pong(let payload): pongs.append(payload)
        case .close(let code, let reason):
            closeCode = Int(code?.rawValue ?? 1005)
            closeReason = reason
        }
    }
}

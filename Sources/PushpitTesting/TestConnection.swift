internal import HTTPCore

/// One client's connection to a test's gateway.
public final class TestConnection {
    /// The version of HTTP that the client uses.
    public enum Version: Sendable, CaseIterable { case http2, http1 }

    private let host: any GatewayHost
    private let pipe: any ClientPipe
    private let codec: any ClientCodec
    private let version: Version
    private let hostName: String
    private var outcomes: [Int: Result<TestResponse, any Error>] = [:]

    init(_ host: any GatewayHost, _ pipe: any ClientPipe, _ version: Version, hostName: String) {
        self.host = host
        self.pipe = pipe
        self.version = version
        self.hostName = hostName
        codec = version == .http2 ? HTTP2ClientCodec() : HTTP1ClientCodec()
    }

    /// Sends one request and waits for its answer.
    public func send(
        _ method: String, _ path: String, headers: TestFields = [:], body: [UInt8] = []
    ) throws -> TestResponse {
        try start(method, path, headers: headers, body: body).answer()
    }

    /// Sends one request; its answer is read later. Several may be in progress.
    public func start(
        _ method: String, _ path: String, headers: TestFields = [:], body: [UInt8] = []
    ) throws -> TestCall {
        var block = HeaderBlock([.method: method, .scheme: "https", .authority: hostName, .path: path])
        for (name, value) in headers.all { block.append(Array(name.lowercased().utf8)[...], Array(value.utf8)[...]) }
        var request = Request(version: version == .http2 ? .http2 : .http11, headers: block)
        request.body = body
        let (number, bytes) = codec.start(request)
        try pipe.write(bytes)
        // The gateway's SETTINGS may allow the client to send more.
        try poll()
        return TestCall(self, number, "\(method) \(path)")
    }

    /// Sends raw bytes, which do not have to be a request.
    public func write(_ bytes: [UInt8]) throws { try pipe.write(bytes) }

    /// Returns the raw bytes that have arrived. If there are none, a live connection waits for the next bytes.
    public func read() throws -> [UInt8] { try pipe.read(waits: true) }

    /// Whether the gateway has ended the connection. A live connection waits for the end.
    public func isEnded() throws -> Bool {
        while !pipe.isEnded, try receive(waits: true) {}
        return pipe.isEnded
    }

    /// Whether the gateway ended the connection with a TCP reset. Known only for embedded connections.
    public var wasReset: Bool { pipe.wasReset }

    /// Whether the client reads. If not, bytes accumulate in the gateway.
    public var isReading: Bool {
        get { pipe.isReading }
        set { pipe.isReading = newValue }
    }

    /// The GOAWAY frames so far.
    public var goAways: [(code: Int, lastStream: Int, text: String)] {
        recorder.goAways.map { (Int($0.code), $0.lastStream, $0.text) }
    }

    /// Every SETTINGS_MAX_CONCURRENT_STREAMS so far, oldest first.
    public var streamLimits: [Int] { recorder.streamLimits }
    /// The newest element of `streamLimits`; nil before the gateway's first SETTINGS frame.
    public var streamLimit: Int? { recorder.streamLimits.last }

    /// The newest SETTINGS_INITIAL_WINDOW_SIZE; nil before the gateway's first SETTINGS frame.
    public var window: Int? { recorder.window }

    private var recorder: FrameRecorder { (codec as? HTTP2ClientCodec)?.recorder ?? FrameRecorder() }

    /// The statuses of interim answers over HTTP/1.1.
    public var interimStatuses: [Int] { (codec as? HTTP1ClientCodec)?.interim ?? [] }

    /// Processes the bytes that have arrived, without waiting.
    public func poll() throws { while try receive(waits: false) {} }

    /// Ends the client's sending direction; the client can still read. Embedded connections only.
    public func endWriting() throws { try pipe.endWriting() }

    /// Closes the connection without any notice.
    public func close() { pipe.close() }

    /// Takes at most `count` of the bytes that have accumulated for a client that does not read. Embedded connections
    /// only.
    package func take(atMost count: Int) -> [UInt8] { (pipe as? MemoryPipe)?.take(atMost: count) ?? [] }

    /// Whether the gateway reads from the connection; nil on a live one.
    package var isReadByGateway: Bool? { (pipe as? MemoryPipe)?.transport.isReadByGateway }

    /// Bytes that wait in the gateway for the client; nil on a live connection.
    package var unreadBytes: Int? { (pipe as? MemoryPipe)?.transport.written.count }

    /// Reads once; false if nothing arrived.
    func receive(waits: Bool) throws -> Bool {
        let bytes = try pipe.read(waits: waits)
        guard !bytes.isEmpty else { return false }
        let reply = try codec.receive(bytes)
        if !reply.isEmpty, !pipe.isEnded { try pipe.write(reply) }
        return true
    }

    /// The answer, or nil if it is not complete. Answers and resets can be read more than once.
    func answer(to number: Int) throws -> TestResponse? {
        if outcomes[number] == nil {
            do {
                guard let answer = try codec.takeAnswer(to: number) else { return nil }
                outcomes[number] = .success(answer)
            } catch { outcomes[number] = .failure(error) }
        }
        return try outcomes[number]?.get()
    }

    func body(of number: Int) -> [UInt8] { codec.body(of: number) }
    var pipeIsEnded: Bool { pipe.isEnded }
    func advanceLoopTime(milliseconds: UInt64) { host.advanceLoopTime(milliseconds: milliseconds) }
}

/// A request that has been sent.
public struct TestCall {
    private let connection: TestConnection
    private let number: Int
    private let name: String

    init(_ connection: TestConnection, _ number: Int, _ name: String) {
        self.connection = connection
        self.number = number
        self.name = name
    }

    /// Waits for the answer. Throws if the gateway resets the stream or ends the connection, or if nothing arrives.
    public func answer() throws -> TestResponse {
        var hasMore = true
        while true {
            if let answer = try connection.answer(to: number) { return answer }
            if connection.pipeIsEnded { throw TestFailure(.ended, "\(name): the gateway ended the connection") }
            guard hasMore else { throw TestFailure(.nothingArrived, "\(name) was not answered") }
            hasMore = try connection.receive(waits: true)
        }
    }

    /// The answer if it has arrived. Does not wait.
    public func answerSoFar() throws -> TestResponse? {
        try connection.poll()
        return try connection.answer(to: number)
    }

    /// The body so far of an answer that comes in pieces, without waiting.
    public func bodySoFar() throws -> String {
        try connection.poll()
        return String(decoding: connection.body(of: number), as: UTF8.self)
    }

    /// Waits until the body so far contains `text`, and returns it.
    public func body(containing text: String) throws -> String {
        var hasMore = true
        while true {
            let body = String(decoding: connection.body(of: number), as: UTF8.self)
            if body.contains(text) { return body }
            guard hasMore else {
                throw TestFailure(.nothingArrived, "\(name): '\(text)' never arrived; the body so far: '\(body)'")
            }
            hasMore = try connection.receive(waits: true)
        }
    }
}

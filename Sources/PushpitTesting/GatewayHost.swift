internal import PushCore

/// The operations of a test gateway that work differently with and without sockets.
protocol GatewayHost: AnyObject {
    /// `https://127.0.0.1:PORT`; nil without sockets.
    var url: String? { get }
    var credentials: TestCredentials? { get }
    func connect(to role: TestRole, _ options: PipeOptions) throws -> any ClientPipe
    /// The gateway's time; nil if it stands still between calls of `advanceClock`.
    func clock() throws -> Timestamp?
    func advanceClock(milliseconds: Int64) throws
    /// Advances the loop time, which timeouts follow. Does nothing on a gateway with sockets: there, loop time passes
    /// by itself.
    func advanceLoopTime(milliseconds: UInt64)
    func events() throws -> [TestEvent]
    func shutDown()
}

extension GatewayHost {
    func clock() throws -> Timestamp? { nil }
}

/// How a connection is made.
struct PipeOptions {
    /// The server name that the client requests with SNI. An embedded connection has no TLS.
    var serverName = "localhost"
    /// The protocols that the client offers with ALPN.
    var protocols = ["h2"]
    var tls = TestTLS.usual
}

/// A client's end of one connection to a gateway.
protocol ClientPipe: AnyObject {
    /// Sends bytes.
    func write(_ bytes: [UInt8]) throws
    /// Returns the bytes that have arrived from the gateway. With `waits`, a live pipe waits a few seconds for at least
    /// one byte. An embedded pipe never waits, because the gateway has already done everything that it will do.
    func read(waits: Bool) throws -> [UInt8]
    /// The gateway has ended the connection, and everything before that has been read.
    var isEnded: Bool { get }
    /// The gateway ended the connection with a TCP reset.
    var wasReset: Bool { get }
    /// Whether the client reads. If not, bytes accumulate on the gateway's side.
    var isReading: Bool { get set }
    /// Ends the client's sending direction. The client can still read.
    func endWriting() throws
    /// Closes the connection.
    func close()
}

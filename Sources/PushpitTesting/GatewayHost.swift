/// What differs between a gateway with sockets and one without.
protocol GatewayHost: AnyObject {
    /// `https://127.0.0.1:PORT`; nil without sockets.
    var url: String? { get }
    var credentials: TestCredentials? { get }
    func connect(to role: TestRole, _ options: PipeOptions) throws -> any ClientPipe
    func advanceClock(milliseconds: Int64)
    /// Lets loop time pass, which time-outs follow: at once without sockets; nothing with them, where it passes by
    /// itself.
    func passLoopTime(milliseconds: UInt64)
    func events() -> [TestEvent]
    func shutDown()
}

/// How a connection is made.
struct PipeOptions {
    /// What the client's TLS asks for; an embedded connection has no TLS.
    var serverName = "localhost"
    /// The versions of HTTP that the client's TLS offers.
    var protocols = ["h2"]
    var tls = TestTLS.usual
}

/// A client's end of one connection to a gateway.
protocol ClientPipe: AnyObject {
    /// Sends bytes.
    func write(_ bytes: [UInt8]) throws
    /// What has come from the gateway. With `waits`, a live pipe waits a few seconds for at least one byte; an embedded
    /// one never waits, because the gateway has done everything that it will do.
    func read(waits: Bool) throws -> [UInt8]
    /// The gateway has ended the connection, and everything before that has been read.
    var isEnded: Bool { get }
    /// The gateway ended the connection with a TCP reset.
    var wasReset: Bool { get }
    /// Whether the client takes bytes. If not, they pile up at the gateway's end.
    var isReading: Bool { get set }
    /// The client sends no more, and still reads.
    func endWriting() throws
    /// The client goes away.
    func close()
}

internal import PushCore

/// A gateway of a test: embedded, without any socket, or live, on ports that the system chooses, or one that runs already.
///
/// Embedded and live gateways behave the same, so one test body can run on both. An embedded gateway does all of its work
/// before a call returns: what has not arrived by then will not arrive without another call. A live gateway runs on
/// another thread, and calls wait for it for a few seconds. In both, the clock stands still until a test moves it. A
/// gateway that runs already has its own clock, and other tests may use it at the same time. Do not share a test gateway
/// between threads.
public final class TestGateway {
    let host: any GatewayHost
    private let configuration: TestConfiguration
    /// The token that the control API requires.
    var apiToken: String? { configuration.apiToken }
    private var now = testEpoch
    private var tokenIssued: Int64 = 0
    private var phoneCount: UInt64 = 0
    /// The connection for calls that do not name one.
    private var connection: TestConnection?

    /// A gateway without sockets.
    public convenience init(_ configuration: TestConfiguration = TestConfiguration()) {
        self.init(EmbeddedHost(configuration), configuration)
    }

    /// A gateway on `127.0.0.1`, with TLS, on a separate thread. End it with `shutDown`.
    ///
    /// - Parameter certificates: the directory for its keys and certificates; they are made if they are missing.
    public static func live(
        _ configuration: TestConfiguration = TestConfiguration(), certificates: String
    ) throws -> TestGateway {
        TestGateway(try LiveHost(configuration, certificates: certificates), configuration)
    }

    /// A gateway in another process, such as the one that `pushpit exec` has started for this test.
    ///
    /// - Parameters:
    ///   - url: the gateway's URL. `PUSHPIT_URL` has it under `pushpit exec`.
    ///   - certificates: the directory of its keys and certificates, as in `PUSHPIT_CERTS`.
    ///   - apiToken: the token that its control API requires; nil if it requires none.
    public static func running(at url: String, certificates: String, apiToken: String? = nil) throws -> TestGateway {
        var configuration = TestConfiguration()
        configuration.apiToken = apiToken
        let host = try RunningHost(at: url, certificates: certificates, apiToken: apiToken)
        return TestGateway(host, configuration)
    }

    private init(_ host: any GatewayHost, _ configuration: TestConfiguration) {
        self.host = host
        self.configuration = configuration
    }

    /// `https://127.0.0.1:PORT`; nil if it is embedded.
    public var url: String? { host.url }

    /// The keys and certificates that a sender needs; nil if it is embedded.
    public var credentials: TestCredentials? { host.credentials }

    // MARK: Connections

    /// Opens a connection.
    ///
    /// - Parameters:
    ///   - hostName: the host name in the requests' authority, and in SNI.
    ///   - tls: how a live connection uses TLS. An embedded one never does.
    public func connect(
        to role: TestRole = .any, over version: TestConnection.Version = .http2, hostName: String = "localhost",
        tls: TestTLS = .usual
    ) throws -> TestConnection {
        let options = PipeOptions(serverName: hostName, protocols: version == .http2 ? ["h2"] : ["http/1.1"], tls: tls)
        return TestConnection(host, try host.connect(to: role, options), version, hostName: hostName)
    }

    /// Sends one request over HTTP/2 and waits for its answer.
    public func send(
        _ method: String, _ path: String, headers: TestFields = [:], body: [UInt8] = []
    ) throws -> TestResponse {
        try start(method, path, headers: headers, body: body).answer()
    }

    /// Sends one request over HTTP/2; its answer is read later.
    public func start(
        _ method: String, _ path: String, headers: TestFields = [:], body: [UInt8] = []
    ) throws -> TestCall {
        try defaultConnection().start(method, path, headers: headers, body: body)
    }

    func defaultConnection() throws -> TestConnection {
        if let connection { return connection }
        let made = try connect()
        connection = made
        return made
    }

    /// Opens a device socket without saying hello.
    ///
    /// - Parameters:
    ///   - fields: fields of the request, which replace the default ones with the same name.
    ///   - following: bytes that are sent together with the request.
    public func socket(fields: TestFields = [:], following: [UInt8] = []) throws -> TestPhone {
        let options = PipeOptions(protocols: ["http/1.1"])
        phoneCount += 1
        let request = TestPhone.handshake(host: "localhost", apiToken: configuration.apiToken, fields: fields)
        return try TestPhone(
            host, host.connect(to: .any, options), request: request + following, seed: configuration.seed + phoneCount)
    }

    /// Opens a device socket and says hello, for a new device or for the existing one whose id is in `spec`.
    ///
    /// - Parameters:
    ///   - platform: `ios`, `android` or `web`.
    ///   - spec: additional members of the device.
    ///   - hello: additional members of the message: `wants`, `resume`, `manualAck`, …
    public func phone(
        _ platform: String = "ios", app: String = "com.example.app", _ spec: TestJSON = [:], hello: TestJSON = [:]
    ) throws -> TestPhone {
        let phone = try socket()
        try phone.hello((["platform": TestJSON(platform), "app": TestJSON(app)] as TestJSON).merging(spec), hello)
        return phone
    }

    /// Opens another socket for the device of `known`.
    public func phone(watching known: TestPhone, hello: TestJSON = [:]) throws -> TestPhone {
        let phone = try socket()
        try phone.hello(["id": TestJSON(known.id)], hello)
        return phone
    }

    // MARK: Time and events

    /// Moves the gateway's clock.
    ///
    /// The clock of a gateway that runs already is moved for all its users. If that gateway does not answer, the process
    /// of the tests ends with a message.
    public func advanceClock(by duration: Duration) {
        let milliseconds = duration.wholeMilliseconds
        now = now + milliseconds
        require { try host.advanceClock(milliseconds: milliseconds) }
    }

    /// The gateway's time, in milliseconds since 1970.
    public var milliseconds: Int64 { time.milliseconds }
    private var time: Timestamp { require { try host.clock() } ?? now }

    /// Advances the loop time, which timeouts and `expect` follow, and which is independent of the clock. Does nothing
    /// on a live gateway: there, loop time passes by itself.
    public func advanceLoopTime(_ duration: Duration) {
        host.advanceLoopTime(milliseconds: UInt64(duration.wholeMilliseconds))
    }

    /// The events so far, oldest first. On a gateway that runs already, those of other tests too.
    public func events() -> [TestEvent] { require { try host.events() } }

    private func require<Value>(_ body: () throws -> Value) -> Value {
        do { return try body() } catch { preconditionFailure("the gateway does not answer: \(error)") }
    }

    /// Shuts the gateway down and waits until it has ended. Does nothing to a gateway that ran already.
    public func shutDown() { host.shutDown() }

    /// The embedded gateway itself, for Pushpit's own tests.
    package var embedded: EmbeddedHost {
        guard let host = host as? EmbeddedHost else { preconditionFailure("a live gateway belongs to its thread") }
        return host
    }

    /// A value for `authorization` that the gateway accepts now, unless its authentication is `strict`: a provider token
    /// with an unknown key. It is replaced after fifty minutes of the gateway's clock, because Apple accepts a token for
    /// one hour.
    public var authorization: String {
        let now = time
        if now.seconds - tokenIssued > 3000 { tokenIssued = now.seconds }
        let parts = [
            #"{"alg":"ES256","kid":"PUSHPITKIT"}"#, #"{"iss":"PUSHPITKIT","iat":\#(tokenIssued)}"#, "no signature",
        ]
        return "bearer " + parts.map { Base64URL.encode($0.utf8) }.joined(separator: ".")
    }
}

/// The time at which every test's clock starts.
let testEpoch = Timestamp(milliseconds: 1_790_000_000_000)

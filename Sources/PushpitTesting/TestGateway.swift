internal import EventLoop
internal import Gateway
internal import HTTP2
internal import HTTPCore
internal import PushCore

/// A gateway inside a test: on a port chosen by the system, or without any socket.
///
/// Both behave the same. The embedded one needs no port and no second thread. The clock is frozen until the test moves
/// it. Do not share an instance between threads.
public final class TestGateway {
    private let host: any GatewayHost
    private let client = HTTP2Client()
    private var now = testEpoch
    private var tokenIssued: Int64 = 0

    /// A gateway without sockets, which handles each request inside `send`.
    public static func embedded() -> TestGateway { TestGateway(EmbeddedHost()) }

    /// A gateway on `127.0.0.1` with TLS, on a free port and in a separate thread.
    ///
    /// - Parameter certificates: the directory for its keys and certificates, created if it does not exist.
    public static func live(certificates: String) throws -> TestGateway {
        TestGateway(try LiveHost(certificates: certificates))
    }

    private init(_ host: any GatewayHost) { self.host = host }

    /// `https://127.0.0.1:PORT`; nil for an embedded gateway.
    public var url: String? { host.url }

    /// Sends one request over HTTP/2 and waits for its answer.
    public func send(
        _ method: String, _ path: String, headers: KeyValuePairs<String, String> = [:], body: [UInt8] = []
    ) throws -> TestResponse {
        var block = HeaderBlock([.method: method, .scheme: "https", .authority: "localhost", .path: path])
        for (name, value) in headers {
            let (name, value) = (Array(name.lowercased().utf8), Array(value.utf8))
            block.append(nameCount: name.count, valueCount: value.count) { output in
                output.append(name.span)
                output.append(value.span)
            }
        }
        let stream = client.send(block, body: body)
        for _ in 0..<1000 {
            let input = try host.exchange(client.drain())
            if !input.isEmpty { try client.receive(input.span) }
            if let answer = client.takeAnswer(to: stream) { return TestResponse(answer) }
        }
        throw TestFailure(description: "\(method) \(path) was not answered; goaway: \(client.goAwayText ?? "none")")
    }

    /// What a sender needs to connect to it; nil for an embedded gateway.
    public var credentials: TestCredentials? { host.credentials }

    /// Moves the gateway's clock forward.
    public func advanceClock(milliseconds: Int64) {
        now = now + milliseconds
        host.advanceClock(milliseconds: milliseconds)
    }

    /// A value for `authorization` that the gateway accepts now: a provider token from an unknown key. It is renewed
    /// after fifty minutes of the gateway's clock, as Apple requires.
    public var authorization: String {
        if now.seconds - tokenIssued > 3000 { tokenIssued = now.seconds }
        let parts = [
            #"{"alg":"ES256","kid":"PUSHPITKIT"}"#, #"{"iss":"PUSHPITKIT","iat":\#(tokenIssued)}"#, "no signature",
        ]
        return "bearer " + parts.map { Base64URL.encode($0.utf8) }.joined(separator: ".")
    }

    /// The events so far, oldest first.
    public func events() -> [TestEvent] { host.events() }

    /// Shuts the gateway down and waits until it has stopped.
    public func shutDown() { host.shutDown() }
}

public struct TestFailure: Error, CustomStringConvertible {
    public let description: String
}

/// The difference between a gateway with sockets and one without.
protocol GatewayHost: AnyObject {
    var url: String? { get }
    var credentials: TestCredentials? { get }
    /// Sends bytes to the gateway and returns its answer.
    func exchange(_ output: [UInt8]) throws -> [UInt8]
    func advanceClock(milliseconds: Int64)
    func events() -> [TestEvent]
    func shutDown()
}

/// The time at which the clock of every test starts.
let testEpoch = Timestamp(milliseconds: 1_790_000_000_000)

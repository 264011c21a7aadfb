internal import Credentials
internal import EventLoop
internal import Gateway
internal import Threads
internal import Platform
internal import PushCore

/// A gateway on sockets, with a separate thread for its loop.
final class LiveHost: GatewayHost {
    let url: String?
    let credentials: TestCredentials?
    private let addresses: [TestRole: SocketAddress]
    private let authority: [UInt8]
    private let mailbox: Mailbox<Server.Message>
    private let thread: LoopThread
    private var isDown = false

    init(_ configuration: TestConfiguration, certificates: String) throws {
        var settings = configuration.gatewayConfiguration
        settings.listeners = TestRole.allCases.map(\.listener)
        settings.certificates = certificates
        let server = try Self.starting.withLock { _ in try Self.start(settings, configuration.seed) }
        let found = server.addresses.map(\.address)
        addresses = Dictionary(uniqueKeysWithValues: zip(TestRole.allCases, found))
        url = "https://\(found[0])"
        mailbox = try server.openMailbox()
        credentials = TestCredentials(server.credentials)
        authority = server.credentials.authority
        guard let thread = LoopThread(running: server) else {
            throw TestFailure(.notStarted, "the system could not start a thread for the gateway")
        }
        self.thread = thread
    }

    /// Held while a gateway starts: two gateways that start at once in a new directory would both create certificates
    /// there.
    private static let starting = Lock(())

    private static func start(_ settings: Configuration, _ seed: UInt64) throws -> sending Server {
        try Server(settings, log: Log(format: .text, level: .none), clock: .manual(at: testEpoch), seed: seed)
    }

    func connect(to role: TestRole, _ options: PipeOptions) throws -> any ClientPipe {
        guard let address = addresses[role] else { preconditionFailure("no listener of role \(role)") }
        return try SocketPipe(to: address, trusting: authority, options)
    }

    /// Returns only when the clock has moved. Otherwise the gateway could read bytes from a socket before it moves the
    /// clock.
    func advanceClock(milliseconds: Int64) {
        mailbox.send(.advanceClock(milliseconds: milliseconds))
        _ = read { $0.events.newest }
    }

    /// Does nothing: loop time passes by itself.
    func advanceLoopTime(milliseconds: UInt64) {}

    func events() -> [TestEvent] {
        read { gateway in gateway.events.events(after: 0).map { TestEvent($0, in: gateway) } }
    }

    private func read<Value: Sendable>(_ body: @escaping @Sendable (Gateway) -> Value) -> Value {
        let box = ResultBox<Value>()
        mailbox.send(.read { gateway in box.put(body(gateway)) })
        return box.wait()
    }

    /// Sends `.shutDown` twice: the first waits for open connections, and the second ends them at once.
    func shutDown() {
        guard !isDown else { return }
        isDown = true
        mailbox.send(.shutDown)
        mailbox.send(.shutDown)
        thread.join()
    }
}

internal import Credentials
internal import EventLoop
internal import Gateway
internal import Platform
internal import PushCore
internal import PushpitClient
internal import Synchronization

/// A gateway that listens on a socket in a separate thread, and a TLS connection to it.
final class LiveHost: GatewayHost {
    let url: String?
    let credentials: TestCredentials?
    private let mailbox: Mailbox<Server.Message>
    private let thread: LoopThread
    private let client: BlockingClient

    init(certificates: String) throws {
        var configuration = Configuration()
        configuration.listeners = [ListenerSpec(role: .any, address: SocketAddress(host: "127.0.0.1", port: 0))]
        configuration.certificates = certificates
        let server = try Server(
            configuration, log: Log(format: .text, level: .none), clock: .manual(at: testEpoch), seed: 1)
        let address = server.addresses[0].address
        url = "https://\(address)"
        mailbox = try server.openMailbox()
        credentials = TestCredentials(server.credentials)
        let authority = server.credentials.authority
        thread = LoopThread(running: server)
        client = try BlockingClient(to: address, trusting: authority)
    }

    func exchange(_ output: [UInt8]) throws -> [UInt8] { try client.exchange(output) }

    /// Waits until the clock has moved, because bytes sent on the socket could otherwise overtake the message.
    func advanceClock(milliseconds: Int64) {
        mailbox.send(.advanceClock(milliseconds: milliseconds))
        _ = read { $0.events.newest }
    }

    func events() -> [TestEvent] {
        read { gateway in gateway.events.events(after: 0).map { TestEvent($0, in: gateway) } }
    }

    private func read<Value: Sendable>(_ body: @escaping @Sendable (Gateway) -> Value) -> Value {
        let box = ResultBox<Value>()
        mailbox.send(.read { gateway in box.put(body(gateway)) })
        return box.wait()
    }

    func shutDown() {
        mailbox.send(.shutDown)
        mailbox.send(.shutDown)
        thread.join()
    }
}

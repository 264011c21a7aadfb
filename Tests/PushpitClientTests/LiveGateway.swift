import EventLoop
import PushpitTesting
import Testing

/// One after the other: all gateways share a directory of certificates, and each writes its port into it.
@Suite(.serialized) struct ClientTests {}

/// A gateway on a socket of the loopback interface, with what a client has to know of it.
struct LiveGateway {
    let gateway: TestGateway
    let address: SocketAddress

    static let certificates = ".build/test-client-certs"

    /// - Parameter isToday: its clock shows the system's time, which the clients sign with.
    static func run(isToday: Bool = false, _ body: (LiveGateway) throws -> Void) throws {
        let gateway = try TestGateway.live(certificates: certificates)
        defer { gateway.shutDown() }
        let text = try #require(gateway.url).replacing("https://", with: "")
        if isToday { gateway.advanceClock(by: .milliseconds(EventLoop.wallClock - 1_790_000_000_000)) }
        try body(LiveGateway(gateway: gateway, address: try #require(SocketAddress(parsing: text))))
    }
}

/// An address at which nothing listens: of a server that has ended.
func closedAddress() -> SocketAddress {
    let server = ScriptedServer(answering: "")
    _ = BlockingSocket(to: server.address)
    _ = server.request()
    return server.address
}

internal import Credentials
internal import EventLoop
internal import Gateway
internal import Platform

/// A gateway on a thread of this process. So it ends with the process, however that ends.
struct GatewayThread {
    let credentials: Credentials
    let address: SocketAddress
    private let mailbox: Mailbox<Server.Message>
    private let thread: LoopThread

    init(_ configuration: Configuration, setUpBy seed: SeedFile?) throws(ExitFailure) {
        let log = Serve.log(configuration)
        let server = try Serve.server(configuration, setUpBy: seed, log)
        credentials = server.credentials
        address = server.addresses[0].address
        do throws(LoopError) { mailbox = try server.openMailbox() } catch { throw .unavailable("\(error)") }
        guard let thread = LoopThread(running: server) else {
            throw ExitFailure(code: 71, message: "the system could not start a thread for the gateway")
        }
        self.thread = thread
    }

    /// Ends the gateway without waiting for connections that are open.
    func stop() {
        mailbox.send(.stop)
        thread.join()
    }
}

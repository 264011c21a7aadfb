internal import Credentials
internal import EventLoop
internal import Gateway
internal import Glibc
internal import Platform
internal import PushpitClient

/// The gateway of `exec`, on a thread of this process. So it ends with the process, however that ends.
struct ExecGateway {
    let credentials: Credentials
    let address: SocketAddress
    private let apiToken: String?
    private let mailbox: Mailbox<Server.Message>
    private let thread: LoopThread

    /// How much longer than an expectation the gateway may take to answer, in milliseconds.
    private static let grace: UInt64 = 5000

    /// The URL of the gateway's own pages.
    var url: String { "http://\(address)" }

    init(_ configuration: Configuration) throws(ExitFailure) {
        Heap.configure()
        signal(SIGPIPE, SIG_IGN)
        let log = Log(format: configuration.logFormat, level: configuration.logLevel)
        let server: Server
        do throws(Server.Problem) {
            server = try Server(configuration, log: log, clock: .system, seed: UInt64.random(in: .min ... .max))
        } catch {
            throw Serve.failure(error)
        }
        credentials = server.credentials
        address = server.addresses[0].address
        apiToken = configuration.apiToken
        do throws(LoopError) { mailbox = try server.openMailbox() } catch { throw .unavailable("\(error)") }
        guard let thread = LoopThread(running: server) else {
            throw ExitFailure(code: 71, message: "the system has no thread for the gateway")
        }
        self.thread = thread
    }

    func ask(_ item: ExpectationFile.Item) throws(ExitFailure) -> (status: Int, body: [UInt8]) {
        do throws(BlockingClient.Failure) {
            let client = ControlClient(address, apiToken: apiToken, timeout: item.within &+ Self.grace)
            let answer = try client.post("/expect", item.body)
            return (answer.status, answer.body)
        } catch { throw .unavailable(error.description) }
    }

    /// Ends the gateway without waiting for connections that are open: the second message says so.
    func stop() {
        mailbox.send(.shutDown)
        mailbox.send(.shutDown)
        thread.join()
    }
}

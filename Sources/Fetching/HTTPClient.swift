internal import EventLoop
internal import PushCore

/// Sends requests: looks up the host, checks its addresses, and tries one after the other. It follows no redirects and
/// uses no proxy.
final class HTTPClient {
    typealias Outcome = TransferPool.Outcome
    typealias Done = (Outcome) -> Void

    private unowned let loop: EventLoop
    /// PEM of the authority to trust besides the system's.
    private let authority: String
    private let hosts: HostFinder
    private var library = Library.unknown
    private var isClosed = false
    /// Requests that get no answer, until `done` is called in one of the next turns.
    private var failed = Queue<(done: Done, failure: HTTPFailure)>()
    private var nextTurn: LoopIdle?

    private enum Library {
        case unknown
        case loading([() -> Void])
        case ready(TransferPool)
        case missing(String)
    }

    init(on loop: EventLoop, authority: String) throws(LoopError) {
        self.loop = loop
        self.authority = authority
        hosts = try HostFinder(on: loop)
        nextTurn = try LoopIdle(on: loop) { [unowned self] in reportFailures() }
    }

    /// Ends without an answer to the requests that are not done.
    func close() {
        isClosed = true
        if case .ready(let pool) = library { pool.close() }
        library = .missing("the gateway is shutting down")
        hosts.close()
        nextTurn?.close()
        failed = Queue()
    }

    /// - Parameter done: called once in a later turn, unless the client is closed before.
    func send(_ request: HTTPRequest, then done: @escaping Done) {
        guard let endpoint = MediaURL.endpoint(of: request.url) else { return fail(done, .unusableURL) }
        guard request.sendsUser || !endpoint.namesUser else { return fail(done, .namesUser) }
        let end = loop.now &+ request.patience
        whenReady { [self] in
            hosts.find(endpoint, for: request) { [self] found in
                switch found {
                case .failure(let failure): fail(done, failure)
                case .success(let addresses): connect(to: addresses[...], request, until: end, done)
                }
            }
        }
    }

    private func fail(_ done: @escaping Done, _ failure: HTTPFailure) {
        if isClosed { return }
        failed.append((done, failure))
        nextTurn?.start()
    }

    /// Returns whether some are left.
    private func reportFailures() -> Bool {
        for _ in 0..<Self.slice {
            guard let (done, failure) = failed.popFirst() else { return false }
            done(.failure(failure))
        }
        return !failed.isEmpty
    }

    private static let slice = 16

    // MARK: The library

    private func whenReady(_ body: @escaping () -> Void) {
        switch library {
        case .ready, .missing: body()
        case .loading(let waiting): library = .loading(waiting + [body])
        case .unknown:
            library = .loading([body])
            CurlLibrary.load(on: loop) { [weak self] in self?.loaded($0) }
        }
    }

    private func loaded(_ problem: String?) {
        guard !isClosed, case .loading(let waiting) = library else { return }
        if let problem {
            library = .missing(problem)
        } else if let pool = TransferPool(on: loop) {
            library = .ready(pool)
        } else {
            library = .missing("there is no memory for libcurl")
        }
        for body in waiting { body() }
    }

    // MARK: The connection

    private func connect(
        to addresses: ArraySlice<SocketAddress>, _ request: HTTPRequest, until end: UInt64, _ done: @escaping Done
    ) {
        guard let address = addresses.first, loop.now < end else { return fail(done, .late) }
        switch library {
        case .missing(let problem): fail(done, .noLibrary(problem))
        case .unknown, .loading: preconditionFailure("the library was loaded before the host was looked up")
        case .ready(let pool):
            var attempt = request
            attempt.patience = end - loop.now
            let transfer = TransferPool.Transfer(request: attempt, address: address, authority: authority)
            let isTaken = pool.start(transfer) { [self] outcome in
                if case .failure(.unreachable) = outcome, addresses.count > 1 {
                    connect(to: addresses.dropFirst(), request, until: end, done)
                } else {
                    done(outcome)
                }
            }
            if !isTaken { fail(done, .broken("libcurl can't start the transfer")) }
        }
    }
}

@available(*, unavailable) extension HTTPClient: Sendable {}

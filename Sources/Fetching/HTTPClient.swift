internal import EventLoop
internal import PushCore

/// Sends requests: looks up the host, checks its addresses, and tries them one after the other. It follows no redirects
/// and uses no proxy.
final class HTTPClient {
    typealias Outcome = TransferPool.Outcome
    typealias Done = (Outcome) -> Void

    private unowned let loop: EventLoop
    /// The path of a PEM file with an authority to trust besides the system's.
    private let authorityFile: String
    private let hosts: HostFinder
    private var library = Library.unknown
    private var isClosed = false
    /// Requests that have failed and whose `done` has not been called yet. It is called in one of the next turns.
    private var failed = Queue<(done: Done, failure: HTTPFailure)>()
    private var nextTurn: LoopIdle?

    private enum Library {
        case unknown
        case loading([() -> Void])
        case ready(TransferPool)
        case missing(String)
    }

    init(on loop: EventLoop, authorityFile: String) throws(LoopError) {
        self.loop = loop
        self.authorityFile = authorityFile
        hosts = try HostFinder(on: loop)
        nextTurn = try LoopIdle(on: loop) { [unowned self] in reportFailures() }
    }

    /// Stops everything. Requests that are not done get no answer.
    func close() {
        isClosed = true
        if case .ready(let pool) = library { pool.close() }
        library = .missing("the gateway is shutting down")
        hosts.close()
        nextTurn?.close()
        failed = Queue()
    }

    /// Sends a request.
    ///
    /// - Parameter done: called once, in a later turn of the loop, unless the client is closed first.
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

    /// Reports some of the failures. Returns whether there are more.
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
        case .unknown, .loading: preconditionFailure("the library must be loaded before the host is looked up")
        case .ready(let pool):
            var attempt = request
            attempt.patience = end - loop.now
            let transfer = TransferPool.Transfer(request: attempt, address: address, authorityFile: authorityFile)
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

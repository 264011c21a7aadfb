internal import EventLoop
internal import PushCore

/// Sends requests: looks up the host, checks its addresses, and tries one after the other. At most one connection for
/// each request, no redirects, no proxy.
///
/// The host is looked up here and not by libcurl: when a transfer ends early, libcurl waits until its look-up has
/// ended, and the loop with it. libcurl gets an address to connect to.
final class HTTPClient {
    typealias Outcome = TransferPool.Outcome
    typealias Done = (Outcome) -> Void

    private unowned let loop: EventLoop
    /// PEM of the authority to trust besides the system's.
    private let authority: String
    private let lookup: HostLookup
    private var library = Library.unknown
    private var hosts = KnownHosts()
    private var isClosed = false
    /// Requests without an answer, which are told so in the next turns.
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
        lookup = try HostLookup(on: loop)
        nextTurn = try LoopIdle(on: loop) { [unowned self] in reportFailures() }
    }

    /// Ends without an answer to the requests that are not done.
    func close() {
        isClosed = true
        if case .ready(let pool) = library { pool.close() }
        library = .missing("the gateway is shutting down")
        lookup.close()
        nextTurn?.close()
        failed = Queue()
    }

    /// - Parameter done: called once in a later turn, unless the client is closed before.
    func send(_ request: HTTPRequest, then done: @escaping Done) {
        guard let endpoint = MediaURL.endpoint(of: request.url) else { return fail(done, .unusableURL) }
        guard request.sendsUser || !endpoint.namesUser else { return fail(done, .namesUser) }
        let end = loop.now &+ request.patience
        whenReady { [self] in
            find(endpoint, for: request) { [self] found in
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

    // MARK: The host

    private func find(
        _ endpoint: MediaURL.Endpoint, for request: HTTPRequest,
        then done: @escaping (Result<[SocketAddress], HTTPFailure>) -> Void
    ) {
        let policy = request.policy
        let check = { (found: HostLookup.Found) in done(Self.allowed(found, by: policy)) }
        if let known = hosts.addresses(of: endpoint, at: loop.now) { return check(known) }
        guard policy.mayAllow(endpoint.host) else { return done(.failure(.refused(.otherMachine))) }
        lookUp(endpoint, atMost: min(request.patience, policy.lookupTime), check)
    }

    private func lookUp(
        _ endpoint: MediaURL.Endpoint, atMost milliseconds: UInt64, _ done: @escaping (HostLookup.Found) -> Void
    ) {
        let waiter = Waiter(done)
        waiter.timer = try? LoopTimer(on: loop) {
            waiter.end(.failure(SocketAddress.LookupFailure(reason: "was not found within \(milliseconds) ms")))
        }
        waiter.timer?.start(after: milliseconds)
        lookup.find(endpoint.text) { [weak self] found in
            if let self { hosts.remember(endpoint, found, at: loop.now) }
            waiter.end(found)
        }
    }

    /// Takes the first result of a look-up: what was found, or that it took too long.
    private final class Waiter {
        private var done: ((HostLookup.Found) -> Void)?
        var timer: LoopTimer?

        init(_ done: @escaping (HostLookup.Found) -> Void) { self.done = done }

        func end(_ found: HostLookup.Found) {
            timer?.close()
            done.take()?(found)
        }
    }

    private static func allowed(
        _ found: HostLookup.Found, by policy: AddressPolicy
    ) -> Result<[SocketAddress], HTTPFailure> {
        switch found {
        case .failure(let failure): return .failure(.unknownHost(failure.reason))
        case .success(let addresses):
            var refusal: AddressPolicy.Refusal?
            let interfaces = Interfaces()
            let allowed = addresses.filter { address in
                let found = policy.refusal(of: IPAddress(address), port: address.port) { interfaces.addresses }
                refusal = refusal ?? found
                return found == nil
            }
            return allowed.isEmpty ? .failure(.refused(refusal ?? .otherMachine)) : .success(allowed)
        }
    }

    /// Asks the system at most once.
    private final class Interfaces {
        lazy var addresses = SocketAddress.ofThisMachine.map { IPAddress($0) }
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
            pool.start(TransferPool.Transfer(request: attempt, address: address, authority: authority)) { [self] in
                if case .failure(.unreachable) = $0, addresses.count > 1 {
                    connect(to: addresses.dropFirst(), request, until: end, done)
                } else {
                    done($0)
                }
            }
        }
    }
}

@available(*, unavailable) extension HTTPClient: Sendable {}

extension AddressPolicy {
    /// How many milliseconds a look-up may take. Only a name that leads to this machine is worth a wait, and such a name
    /// is found quickly.
    fileprivate var lookupTime: UInt64 {
        if case .thisMachine = reach { 2000 } else { .max }
    }
}

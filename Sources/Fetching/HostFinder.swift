internal import EventLoop
internal import PushCore

/// Looks up hosts, and checks their addresses.
///
/// libcurl does not look them up itself: when a transfer ends early, libcurl would block the loop until the look-up has
/// ended. So libcurl gets an address to connect to.
final class HostFinder {
    private unowned let loop: EventLoop
    private let lookup: HostLookup
    private var hosts = KnownHosts()
    private var waiters: [ObjectIdentifier: Waiter] = [:]

    init(on loop: EventLoop) throws(LoopError) {
        self.loop = loop
        lookup = try HostLookup(on: loop)
    }

    /// Stops everything. Look-ups that are not done get no answer.
    func close() {
        lookup.close()
        for waiter in waiters.values { waiter.timer?.close() }
        waiters = [:]
    }

    /// Finds the addresses that the request may be sent to: at least one.
    func find(
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
        waiters[ObjectIdentifier(waiter)] = waiter
        waiter.timer = try? LoopTimer(on: loop) { [unowned self] in
            end(waiter, .failure(SocketAddress.LookupFailure(reason: "has a host that took too long to look up")))
        }
        waiter.timer?.start(after: milliseconds)
        lookup.find(endpoint.text) { [unowned self] found in
            hosts.remember(endpoint, found, at: loop.now)
            end(waiter, found)
        }
    }

    /// Passes on the first result of a look-up: what was found, or that it took too long.
    private func end(_ waiter: Waiter, _ found: HostLookup.Found) {
        guard waiters.removeValue(forKey: ObjectIdentifier(waiter)) != nil else { return }
        waiter.timer?.close()
        waiter.done(found)
    }

    private final class Waiter {
        let done: (HostLookup.Found) -> Void
        var timer: LoopTimer?

        init(_ done: @escaping (HostLookup.Found) -> Void) { self.done = done }
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

    /// The addresses of this machine's network interfaces. Asks the system for them at most once.
    private final class Interfaces {
        lazy var addresses = SocketAddress.ofThisMachine.map { IPAddress($0) }
    }
}

@available(*, unavailable) extension HostFinder: Sendable {}

extension AddressPolicy {
    /// How many milliseconds a look-up may take. If only this machine is allowed, that is a short time: its own names are
    /// found quickly, and all others are refused anyway.
    fileprivate var lookupTime: UInt64 {
        if case .thisMachine = reach { 2000 } else { .max }
    }
}

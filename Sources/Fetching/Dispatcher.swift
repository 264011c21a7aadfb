internal import EventLoop

/// Delivers requests one after the other, and sends each again as its rule says.
final class Dispatcher {
    private let client: HTTPClient
    private let rule: DeliveryRule
    let policy: AddressPolicy
    private var timer: LoopTimer?
    private var resume: () -> Void = {}
    private(set) var isIdle = true

    init(_ client: HTTPClient, on loop: EventLoop, _ rule: DeliveryRule, _ policy: AddressPolicy) throws(LoopError) {
        self.client = client
        self.rule = rule
        self.policy = policy
        timer = try LoopTimer(on: loop) { [unowned self] in resume() }
    }

    func close() {
        timer?.close()
        resume = {}
    }

    /// Delivers a request. Call it only if `isIdle`.
    ///
    /// - Parameters:
    ///   - willRetry: called before the pause after each failed attempt, with the reason.
    ///   - done: called at the end: with the reason if the request was given up, with nil if it was delivered.
    func send(_ request: HTTPRequest, willRetry: @escaping (String) -> Void, done: @escaping (String?) -> Void) {
        isIdle = false
        attempt(1, request, willRetry, done)
    }

    private func attempt(
        _ number: Int, _ request: HTTPRequest, _ willRetry: @escaping (String) -> Void,
        _ done: @escaping (String?) -> Void
    ) {
        client.send(request) { [self] outcome in
            switch rule.next(after: outcome, attempts: number) {
            case .delivered: end(done, nil)
            case .giveUp(let reason): end(done, reason)
            case .again(let pause, let reason):
                willRetry(reason)
                resume = { [unowned self] in attempt(number + 1, request, willRetry, done) }
                timer?.start(after: pause)
            }
        }
    }

    private func end(_ done: (String?) -> Void, _ reason: String?) {
        isIdle = true
        done(reason)
    }
}

@available(*, unavailable) extension Dispatcher: Sendable {}

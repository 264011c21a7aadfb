package import Devices
internal import EventLoop
internal import Platform
internal import PushCore

/// Fetches files for phones, a few at a time.
package final class Fetcher {
    private unowned let loop: EventLoop
    private let client: HTTPClient
    private let policy: AddressPolicy
    private let limits: Limits
    private let note: OutgoingNote
    private var waiting = Queue<Fetch>()
    private var running = 0
    private var hasNotedLibrary = false
    /// What the media table has for a URL. A redirect may lead to one of its URLs, which is not asked for then.
    package var table: (String) -> Media? = { _ in nil }

    private struct Fetch {
        let request: FetchRequest
        let done: (FetchResult) -> Void
    }

    /// How many files are fetched at the same time, and how many may wait for that.
    struct Limits {
        let running: Int
        let waiting: Int

        /// For phones, which need only the first bytes of a file.
        static let phones = Limits(running: 16, waiting: 10_000)
        /// For people, whose browsers show whole files.
        static let viewers = Limits(running: 4, waiting: 32)
    }

    init(
        _ client: HTTPClient, on loop: EventLoop, _ policy: AddressPolicy, _ limits: Limits = .phones,
        note: @escaping OutgoingNote
    ) {
        self.loop = loop
        self.client = client
        self.policy = policy
        self.limits = limits
        self.note = note
    }

    func close() { waiting = Queue() }

    /// Fetches a file.
    ///
    /// - Parameter done: called once, perhaps before this function returns. It is not called if the gateway ends first.
    package func fetch(_ request: FetchRequest, then done: @escaping (FetchResult) -> Void) {
        guard request.url.utf8.count <= FetchSteps.longestURL else {
            return done(.skipped("the URL has more than \(FetchSteps.longestURL) bytes"))
        }
        guard waiting.count < limits.waiting else {
            return done(.skipped("\(limits.waiting) other files are waiting to be fetched"))
        }
        waiting.append(Fetch(request: request, done: done))
        startWaiting()
    }

    private func startWaiting() {
        while running < limits.running, let fetch = waiting.popFirst() {
            running += 1
            let steps = FetchSteps(fetch.request)
            let end = loop.now &+ UInt64(clamping: fetch.request.patience)
            ask(for: fetch.request.url, steps, fetch, until: end)
        }
    }

    private func ask(for url: String, _ steps: FetchSteps, _ fetch: Fetch, until end: UInt64) {
        guard loop.now < end else { return finish(fetch, .timedOut) }
        let request = HTTPRequest(
            url: url, longestAnswer: fetch.request.longest, patience: end - loop.now,
            keepsBody: fetch.request.keepsContent, policy: policy)
        client.send(request) { [self] outcome in
            var steps = steps
            switch outcome {
            case .success(let answer):
                switch steps.answered(answer) {
                case .ask(let next):
                    if let media = table(next) {
                        finish(fetch, .received(media))
                    } else {
                        ask(for: next, steps, fetch, until: end)
                    }
                case .end(let result): finish(fetch, result)
                }
            case .failure(let failure):
                noteLibrary(failure)
                finish(fetch, steps.failed(failure, reach: policy.reach))
            }
        }
    }

    private func finish(_ fetch: Fetch, _ result: FetchResult) {
        running -= 1
        fetch.done(result)
        startWaiting()
    }

    /// Logs once that nothing can be fetched.
    private func noteLibrary(_ failure: HTTPFailure) {
        guard case .noLibrary(let problem) = failure, !hasNotedLibrary else { return }
        hasNotedLibrary = true
        note(.warning, "cannot fetch media", ["because": problem])
    }
}

@available(*, unavailable) extension Fetcher: Sendable {}

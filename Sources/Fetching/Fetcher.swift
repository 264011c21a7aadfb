package import Devices
internal import EventLoop
internal import Platform
internal import PushCore

/// Fetches files for phones, a few at a time.
package final class Fetcher {
    private unowned let loop: EventLoop
    private let client: HTTPClient
    private let policy: AddressPolicy
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

    package static let maxRunning = 16
    package static let maxWaiting = 10_000

    init(_ client: HTTPClient, on loop: EventLoop, _ policy: AddressPolicy, note: @escaping OutgoingNote) {
        self.loop = loop
        self.client = client
        self.policy = policy
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
        guard waiting.count < Self.maxWaiting else {
            return done(.skipped("\(Self.maxWaiting) other files are waiting to be fetched"))
        }
        waiting.append(Fetch(request: request, done: done))
        startWaiting()
    }

    private func startWaiting() {
        while running < Self.maxRunning, let fetch = waiting.popFirst() {
            running += 1
            let steps = FetchSteps(fetch.request)
            let end = loop.now &+ UInt64(clamping: fetch.request.patience)
            ask(for: fetch.request.url, steps, fetch, until: end)
        }
    }

    private func ask(for url: String, _ steps: FetchSteps, _ fetch: Fetch, until end: UInt64) {
        guard loop.now < end else { return finish(fetch, .timedOut) }
        let request = HTTPRequest(
            url: url, longestAnswer: fetch.request.longest, patience: end - loop.now, policy: policy)
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

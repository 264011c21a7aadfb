internal import HTTPCore
internal import JSON
internal import PushCore
package import PushEngine

/// A new expectation: the search for the messages in the log that match it.
final class ExpectCall: SlicedCall {
    private var expectation: Expectation
    private let newest: UInt64
    private var search: MessageSearch?
    /// The messages that are not counted yet, newest first.
    private var found: [PushID] = []
    /// The value of `PushEngine.removals` when the search began; nil before that.
    private var removals: UInt64?
    /// Set once the expectation is decided.
    private var answer: ExpectAnswer?

    init(_ call: ControlAPI.Call, _ expectation: Expectation) {
        self.expectation = expectation
        newest = call.host.box.engine.events.newest
    }

    func advance(_ host: any ControlHost) -> ControlAPI.Reply? {
        if let answer { return answer.advance(host) }
        guard findMessages(host), countMessages(host) else { return nil }
        let (judged, verdict) = host.box.engine.judge(expectation, upTo: newest, since: removals ?? 0)
        guard let verdict else { return .deferred(.expect(judged)) }
        let answer = ExpectAnswer(judged, verdict, at: host.box.engine.events.newest)
        self.answer = answer
        return answer.advance(host)
    }

    /// Searches until the turn is over. True if the search is done.
    private func findMessages(_ host: any ControlHost) -> Bool {
        if search?.isDone == true { return true }
        guard host.updateJournal(to: newest) else { return false }
        removals = removals ?? host.box.engine.removals
        var search = search ?? host.box.engine.search(expectation.filter)
        defer { self.search = search }
        return host.continueSearch(&search) { message in
            found.append(message.record.id)
            return true
        }
    }

    /// Counts the found messages, oldest first, until the turn is over. True if all are counted.
    private func countMessages(_ host: any ControlHost) -> Bool {
        while let push = found.popLast() {
            expectation.note(push)
            if found.count % Self.countedAtOnce == 0, !found.isEmpty, host.isTurnOver { return false }
        }
        return true
    }

    private static let countedAtOnce = 256
}

/// The answer to `expect` once it is decided, with the pushes that nearly match.
package final class ExpectAnswer: SlicedCall {
    private let expectation: Expectation
    private let verdict: Expectation.Verdict
    private let newest: UInt64
    private var nearMisses: NearMisses?

    /// - Parameter newest: the newest event when it was decided.
    package init(_ expectation: Expectation, _ verdict: Expectation.Verdict, at newest: UInt64) {
        self.expectation = expectation
        self.verdict = verdict
        self.newest = newest
    }

    package func advance(_ host: any ControlHost) -> ControlAPI.Reply? {
        // Pushes that nearly match explain why too few matched, not why too many did.
        if verdict == .failed, !expectation.isExceeded {
            guard host.updateJournal(to: newest) else { return nil }
            var misses = nearMisses ?? NearMisses(expectation.filter, host.box.engine)
            var hasNext = true
            repeat { hasNext = misses.next(&host.box.engine) } while hasNext && !host.isTurnOver
            nearMisses = misses
            if hasNext { return nil }
        }
        return .answer(response)
    }

    private var response: Response {
        .json(status: verdict == .met ? 200 : 417) { json in
            json.member("met", verdict == .met)
            json.member("count", expectation.count)
            json.member("messages", expectation.pushes.map(\.description))
            if expectation.unlisted > 0 { json.member("unlisted", expectation.unlisted) }
            guard verdict == .failed else { return }
            json.member("why", expectation.whyNotMet)
            json.key("nearest")
            json.array { json in
                for (message, differences) in nearMisses?.found ?? [] {
                    json.object { json in
                        json.member("message", message.record.id.description)
                        json.member("differs", differences)
                    }
                }
            }
        }
    }
}

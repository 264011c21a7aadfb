internal import HTTPCore
internal import JSON
internal import PushCore
internal import PushEngine

/// Answers calls of `expect` as pushes come and time passes.
extension Gateway {
    /// What is decided at once is answered at once.
    func judge(_ expectation: Expectation) -> (expectation: Expectation, verdict: Expectation.Verdict?) {
        var expectation = expectation
        judgeExpectations()
        for message in engine.messages(expectation.filter, before: nil, limit: .max).messages.reversed() {
            expectation.note(message.record.id)
        }
        expectations.position = engine.events.newest
        return (expectation, expectation.verdict ?? (expectation.within == 0 ? expectation.lastVerdict : nil))
    }

    var hasExpectationsToJudge: Bool { !expectations.isEmpty && expectations.position < engine.events.newest }

    /// Shows what has come to those who expect something.
    func judgeExpectations() {
        defer { expectations.position = engine.events.newest }
        guard !expectations.isEmpty else { return }
        engine.followLog()
        let oldest = engine.events.newest - UInt64(engine.events.count)
        var position = max(expectations.position, oldest)
        var hasNew = false
        while position < engine.events.newest {
            position += 1
            guard let event = engine.events.event(position), let push = event.push,
                let row = engine.journal.row(of: push)
            else { continue }
            let isFirst = row.seq == event.seq
            guard isFirst || event.device != nil else { continue }
            hasNew = true
            expectations.show(row, event.device, isFirst) { engine.message(row.seq) }
        }
        if hasNew { answerDecided() }
    }

    func answerDecided() {
        for decided in expectations.takeDecided(at: loopNow) {
            answer(response(to: decided.expectation, decided.verdict), to: decided.replyTarget)
        }
    }

    func response(to expectation: Expectation, _ verdict: Expectation.Verdict) -> Response {
        .json(status: verdict == .met ? 200 : 417) { json in
            json.member("met", verdict == .met)
            json.member("count", expectation.count)
            json.member("messages", expectation.pushes.map(\.description))
            guard verdict == .failed else { return }
            json.key("nearest")
            json.array { json in
                for (message, differences) in nearest(to: expectation.filter) {
                    json.object { json in
                        json.member("message", message.record.id.description)
                        json.member("differs", differences)
                    }
                }
            }
        }
    }

    private static let lookedAt = 1000
    private static let mostNearest = 3

    /// Those that are not meant for the fewest reasons, the newest first among equals.
    private func nearest(to filter: MessageFilter) -> [(message: Message, differences: [MessageFilter.Difference])] {
        let messages = engine.messages(MessageFilter(), before: nil, limit: Self.lookedAt).messages
        let misses = messages.map { (message: $0, differences: filter.differences($0)) }.filter {
            !$0.differences.isEmpty
        }
        return Array(
            misses.enumerated().sorted {
                ($0.element.differences.count, $0.offset) < ($1.element.differences.count, $1.offset)
            }.prefix(Self.mostNearest).map(\.element))
    }
}

internal import Devices
internal import HTTPCore
package import JSON
internal import PushCore
package import PushEngine

/// A new call of `expect`. It first counts the matches that the log already has.
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
        guard expectation.followsEvents ? compareEvents(host) : findMessages(host) && countMessages(host) else {
            return nil
        }
        let (judged, verdict) = host.box.engine.judge(expectation, upTo: newest, since: removals ?? 0)
        guard let verdict else { return .deferred(.expect(judged)) }
        let answer = ExpectAnswer(judged, verdict, at: host.box.engine.events.newest)
        self.answer = answer
        return answer.advance(host)
    }

    /// Compares the expectation with the events of the log, oldest first, until the turn is over. True if all are compared.
    private func compareEvents(_ host: any ControlHost) -> Bool {
        repeat {
            for _ in 0..<Self.comparedAtOnce {
                if host.box.engine.comparePast(&expectation, upTo: newest) { return true }
            }
        } while !host.isTurnOver
        return false
    }

    /// How many steps are taken before the time is checked again. A step compares one event, or one portion of a long
    /// comparison. An event takes less than a microsecond if its kind is not the expected one.
    private static let comparedAtOnce = 16

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

/// The answer to `expect` once it is decided, with the pushes or events that nearly match.
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
        // What nearly matches explains why too little matched, not why too much did.
        if verdict == .failed, !expectation.isExceeded {
            guard host.updateJournal(to: newest) else { return nil }
            var misses = nearMisses ?? NearMisses(expectation, host.box.engine)
            var hasNext = true
            repeat { hasNext = misses.next(&host.box.engine) } while hasNext && !host.isTurnOver
            nearMisses = misses
            if hasNext { return nil }
            explainDevices(host.box.engine)
            explainEarlyMatches()
        }
        return .answer(response)
    }

    /// If the wrong device in a near miss was created for an unknown token, adds a note that says so.
    private func explainDevices(_ engine: borrowing PushEngine) {
        guard var misses = nearMisses?.found else { return }
        for miss in misses.indices {
            for index in misses[miss].differences.indices {
                let difference = misses[miss].differences[index]
                guard difference.at == "device", case .string(let id) = difference.got,
                    let slot = engine.devices.slot(of: DeviceID(id)), engine.devices.isImplicit(at: slot)
                else { continue }
                misses[miss].differences[index].note = "That device was made for a token that no device had."
            }
        }
        nearMisses?.found = misses
    }

    /// If a near miss only came too early in the sequence, adds a note that says so.
    private func explainEarlyMatches() {
        guard var misses = nearMisses?.found, let push = expectation.tally.pushes.last, expectation.missing != nil
        else {
            return
        }
        for miss in misses.indices where misses[miss].timeRank == 0 {
            for index in misses[miss].differences.indices where misses[miss].differences[index].at == "since" {
                misses[miss].differences[index].note =
                    "This came too early: before \(push), which matched filter \(expectation.count) of the sequence."
            }
        }
        nearMisses?.found = misses
    }

    private var response: Response {
        let tally = expectation.tally
        return .json(status: verdict == .met ? 200 : 417) { json in
            json.member("met", verdict == .met)
            json.member("count", expectation.count)
            json.member("messages", tally.pushes.map(\.description))
            if expectation.followsEvents { json.member("events", tally.events) }
            if tally.unlisted > 0 { json.member("unlisted", tally.unlisted) }
            guard verdict == .failed else { return }
            json.member("why", expectation.whyNotMet)
            if let missing = expectation.missing { json.member("missing", missing) }
            json.member("nearest", nearMisses?.found ?? [])
        }
    }
}

extension NearMisses.Miss: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.object { json in
            if let push { json.member("message", push) }
            if let event {
                json.member("event", event.seq)
                json.member("kind", event.kind.rawValue)
                if let device = event.device { json.member("device", device.description) }
                if let why = event.why { json.member("why", why.description) }
            }
            json.member("differs", differences)
        }
    }
}

internal import HTTPCore
internal import JSON
internal import PushCore

/// What somebody expects of the pushes: so many that a filter means, or so many at most.
struct Expectation {
    enum Demand {
        /// Met when the n-th is there; more than that are a failure.
        case exactly(Int)
        case atLeast(Int)
        /// Decided at the first that is too many, or at the end.
        case atMost(Int)
    }

    enum Verdict { case met, failed }

    let filter: MessageFilter
    let demand: Demand
    /// Milliseconds; real ones, as somebody waits.
    let within: UInt64
    /// The first of the pushes so far, and all of them.
    private(set) var pushes: [PushID] = []
    private var counted: Set<PushID> = []
    var count: Int { counted.count }

    private static let mostNamed = 1000

    init(_ filter: MessageFilter, _ demand: Demand, within: UInt64) {
        self.filter = filter
        self.demand = demand
        self.within = within
    }

    /// A push counts once, however much is told of it.
    mutating func note(_ push: PushID) {
        if counted.insert(push).inserted, pushes.count < Self.mostNamed { pushes.append(push) }
    }

    mutating func forget(_ gone: Set<PushID>) {
        pushes.removeAll(where: gone.contains)
        counted.subtract(gone)
    }

    /// Nil: more has to come, or time to pass.
    var verdict: Verdict? {
        switch demand {
        case .exactly(let wanted): count == wanted ? .met : count > wanted ? .failed : nil
        case .atLeast(let wanted): count >= wanted ? .met : nil
        case .atMost(let limit): count > limit ? .failed : nil
        }
    }

    /// At the end of its time.
    var lastVerdict: Verdict {
        if case .atMost(let limit) = demand, count <= limit { return .met }
        return verdict ?? .failed
    }
}

/// Those who wait for something to be so. Nothing is looked at but when a push has come, or a time is over.
struct Expectations: ~Copyable {
    private struct Entry {
        var expectation: Expectation
        let replyTarget: ReplyTarget
        /// On the loop's clock.
        let due: UInt64
    }

    private var entries: [Entry] = []
    /// Of each entry, what decides nearly always.
    private var quick: [MessageFilter.Quick] = []
    /// One of them has counted a push since they were last looked through.
    private var hasChanged = false
    /// Up to here the log was judged by.
    var position: UInt64 = 0
    let capacity = 20_000

    var count: Int { entries.count }
    var isEmpty: Bool { entries.isEmpty }
    private(set) var nextDue: UInt64?

    mutating func add(_ expectation: Expectation, _ replyTarget: ReplyTarget, at now: UInt64) {
        let due = now + min(expectation.within, 1 << 50)
        entries.append(Entry(expectation: expectation, replyTarget: replyTarget, due: due))
        quick.append(expectation.filter.quick)
        nextDue = min(nextDue ?? due, due)
    }

    mutating func forget(where isMeant: (ReplyTarget) -> Bool) {
        guard entries.contains(where: { isMeant($0.replyTarget) }) else { return }
        entries.removeAll { isMeant($0.replyTarget) }
        sortOut()
    }

    /// To be called when entries have gone.
    private mutating func sortOut() {
        quick = entries.map(\.expectation.filter.quick)
        nextDue = entries.lazy.map(\.due).min()
    }

    /// Shows a push to all; where it was on its way to a device, to those who ask for that one.
    mutating func show(_ row: Journal.Row, _ device: DeviceID?, _ isFirst: Bool, _ message: () -> Message?) {
        var made: Message?
        for index in quick.indices where quick[index].mayMatch(row) {
            let wanted = entries[index].expectation.filter.device
            guard wanted == nil ? isFirst : wanted == device?.description else { continue }
            made = made ?? message()
            guard let made, entries[index].expectation.filter.matches(made) else { continue }
            entries[index].expectation.note(row.push)
            hasChanged = true
        }
    }

    mutating func forget(_ gone: Set<PushID>) {
        for index in entries.indices { entries[index].expectation.forget(gone) }
    }

    mutating func takeAll() -> [ReplyTarget] {
        defer {
            entries = []
            sortOut()
        }
        return entries.map(\.replyTarget)
    }

    /// Takes out those that are decided.
    mutating func takeDecided(at now: UInt64) -> [(
        expectation: Expectation, verdict: Expectation.Verdict, replyTarget: ReplyTarget
    )] {
        guard hasChanged || nextDue ?? .max <= now else { return [] }
        hasChanged = false
        var decided: [(expectation: Expectation, verdict: Expectation.Verdict, replyTarget: ReplyTarget)] = []
        entries.removeAll { entry in
            guard let verdict = entry.expectation.verdict ?? (entry.due <= now ? entry.expectation.lastVerdict : nil)
            else { return false }
            decided.append((entry.expectation, verdict, entry.replyTarget))
            return true
        }
        sortOut()
        return decided
    }
}

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

extension MessageFilter.Difference: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("at", at)
            json.member("expected", expected)
            json.member("got", got)
        }
    }
}

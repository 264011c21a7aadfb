package import PushCore
package import PushEngine

/// The lines about pushes in the gateway's log: one for each push. If there are more pushes in a second than the limit,
/// there is one line for that second.
///
/// Like all readers of the event log, it reads the log at the end of a turn. By then, most phones have handled their
/// pushes, so a line can say what they did. No answer has to wait for it.
package struct PushFeed {
    /// How many pushes of a second get lines; 0 if none do.
    private let limit: Int
    /// Whether pushes are only counted, for a summary. Also true if the limit is 0.
    private(set) var isCounting: Bool
    /// Whether there are pushes that were not read yet.
    private var isUnread = false
    /// Events up to this number have been read.
    private var cursor: UInt64 = 0
    /// The pushes that have no line yet, or whose image is still loading.
    private var open: [OpenPush] = []
    private var window = Window()

    /// The number of pushes with each outcome.
    private struct Counts {
        var accepted = 0
        var refused = 0
    }

    /// The second in which pushes are counted.
    private struct Window {
        /// On the loop's clock, in milliseconds.
        var start: UInt64 = 0
        var lines = 0
        /// The counts when the summary began.
        var before = Counts()
        /// How many pushes each rule has refused while pushes are only counted. A client cannot make up rules, so this
        /// stays small.
        var refusals: [RuleID: Int] = [:]
    }

    package static let usualLimit = 50
    private static let windowLength: UInt64 = 1000
    /// How many events are read at once. If there are more, the lines say only what these events tell.
    private static let maxEvents = 2000

    /// - Parameter limit: how many pushes of a second get lines; 0 if none do.
    package init(limit: Int) {
        self.limit = limit
        isCounting = limit == 0
    }

    /// Notes that a push was recorded after that event. Called for every push, so it does nearly nothing.
    @inline(__always)
    package mutating func received(after seq: UInt64, refusedBy rule: @autoclosure () -> RuleID?) {
        if isCounting {
            if limit > 0, let rule = rule() { window.refusals[rule, default: 0] &+= 1 }
        } else if !isUnread {
            isUnread = true
            if open.isEmpty { cursor = seq }
        }
    }

    /// Whether `lines` may return something.
    package var hasNews: Bool { isUnread || !open.isEmpty }

    /// The lines about what has happened since the last call.
    ///
    /// - Parameter now: on the loop's clock.
    package mutating func lines(_ engine: borrowing PushEngine, at now: UInt64) -> [PushLine] {
        guard hasNews else { return [] }
        isUnread = false
        if now &- window.start >= Self.windowLength { window = Window(start: now) }
        let isComplete = read(engine, at: now)
        var lines: [PushLine] = []
        var working: [OpenPush] = []
        for var push in open {
            let isWorking = isComplete && push.isWorking(engine)
            let isLate = now &- push.began >= OpenPush.patience
            let isAwaited = isComplete && !push.hasLine && !isLate && push.awaitsReceipt(engine)
            let waits = isAwaited || isWorking && (push.hasLine || !isLate)
            if !waits, let line = push.line(engine, isWorking: isWorking) {
                lines.append(line)
                push.hasLine = true
            }
            if isWorking || isAwaited { working.append(push) }
        }
        open = working
        return lines
    }

    /// The line for the second that has passed, if pushes were only counted. Call it twice a second.
    package mutating func summary(_ engine: borrowing PushEngine, at now: UInt64, isEnd: Bool = false) -> PushSummary? {
        guard isCounting, limit > 0, isEnd || now &- window.start >= Self.windowLength else { return nil }
        let counts = Self.counts(engine)
        let summary = PushSummary(
            milliseconds: now &- window.start, accepted: counts.accepted &- window.before.accepted,
            refused: counts.refused &- window.before.refused, refusals: window.refusals)
        isCounting = UInt64(clamping: summary.total) &* 1000 > UInt64(clamping: limit) &* summary.milliseconds
        window = Window(start: now, before: counts)
        return summary.total > 0 ? summary : nil
    }

    private static func counts(_ engine: borrowing PushEngine) -> Counts {
        Counts(accepted: engine.metrics.accepted, refused: engine.metrics.refused)
    }

    /// Reads the new events. False if there are too many to read them all.
    private mutating func read(_ engine: borrowing PushEngine, at now: UInt64) -> Bool {
        var left = Self.maxEvents
        // A push to an unknown token makes a device right before it is recorded.
        var newDevice: DeviceID?
        while let event = engine.events.event(after: cursor) {
            if left == 0 {
                cursor = engine.events.newest
                return false
            }
            left &-= 1
            cursor = event.seq
            if event.kind == .registered { newDevice = event.device }
            guard let id = event.push else { continue }
            if case .push(let record) = event.detail {
                // The gateway has its own log line for pushes that it could not save.
                if event.why == RuleID("gateway.disk") { continue }
                guard window.lines < limit else {
                    startCounting(engine, from: event.seq, at: now)
                    return false
                }
                window.lines += 1
                open.append(
                    OpenPush(event, record, isForNewDevice: event.device != nil && event.device == newDevice, at: now))
            } else if let index = open.lastIndex(where: { $0.id == id }) {
                open[index].add(event)
            }
        }
        return true
    }

    /// Counts this push and later ones, because there are too many for lines.
    private mutating func startCounting(_ engine: borrowing PushEngine, from seq: UInt64, at now: UInt64) {
        isCounting = true
        window.start = now
        window.before = Self.counts(engine)
        var rest = seq &- 1
        while let event = engine.events.event(after: rest) {
            rest = event.seq
            guard case .push = event.detail else { continue }
            if event.kind == .accepted { window.before.accepted &-= 1 } else { window.before.refused &-= 1 }
            if event.kind == .refused, let rule = event.why { window.refusals[rule, default: 0] &+= 1 }
        }
        cursor = rest
    }
}

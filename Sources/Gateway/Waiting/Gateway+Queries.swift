internal import ControlAPI
internal import HTTPCore
internal import Persistence
internal import PushEngine

/// Calls to the control API that take several turns of the loop.
extension Gateway {
    /// The calls that wait for their next turn.
    struct Queries {
        struct Entry {
            let query: any SlicedQuery
            let replyTarget: ReplyTarget
        }

        private(set) var entries: [Entry] = []
        /// The connection whose call had the last turn.
        private var last: ConnectionID?

        var isEmpty: Bool { entries.isEmpty }

        func contains(_ connection: ConnectionID) -> Bool {
            entries.contains { $0.replyTarget.connection == connection }
        }

        mutating func append(_ query: any SlicedQuery, _ replyTarget: ReplyTarget) {
            entries.append(Entry(query: query, replyTarget: replyTarget))
        }

        /// Takes the next of the calls that may run. Connections take turns: it takes the oldest call of a connection
        /// other than `last`, or else the oldest call.
        mutating func next(where mayRun: (ReplyTarget) -> Bool) -> Entry? {
            let index =
                entries.firstIndex { $0.replyTarget.connection != last && mayRun($0.replyTarget) }
                ?? entries.firstIndex { mayRun($0.replyTarget) }
            guard let index else { return nil }
            last = entries[index].replyTarget.connection
            return entries.remove(at: index)
        }

        mutating func forget(where shouldRemove: (ReplyTarget) -> Bool) {
            entries.removeAll { shouldRemove($0.replyTarget) }
        }
    }

    /// Whether there is a waiting query with a client that reads its answers.
    var hasRunnableQueries: Bool { queries.entries.contains { hasRoom($0.replyTarget) } }

    /// Continues queries until the turn is over.
    func continueQueries() {
        while !queries.isEmpty, let next = queries.next(where: { hasRoom($0) }) {
            run(next.query, next.replyTarget)
            if turn.isOver { return }
        }
    }

    /// Answers a call now or, if its work does not fit into this turn, later.
    func start(_ query: any SlicedQuery, _ replyTarget: ReplyTarget) {
        if turn.isOver { enqueue(query, replyTarget) } else { run(query, replyTarget) }
    }

    func enqueue(_ query: any SlicedQuery, _ replyTarget: ReplyTarget) {
        queries.append(query, replyTarget)
        scheduleMore?()
    }

    private func run(_ query: any SlicedQuery, _ replyTarget: ReplyTarget) {
        let state = changeState
        guard let reply = query.advance(self) else { return enqueue(query, replyTarget) }
        switch outcome(of: reply, since: state) {
        case .answer(let response): answer(response, to: replyTarget)
        case .afterPersist(let response, _, _):
            hold(HeldReply(to: replyTarget, response, fault: nil, isHead: false))
        case .deferred(let reply): wait(for: reply, replyTarget)
        case .fault, .upgrade, .goAway: preconditionFailure("the control API has no such outcome")
        }
    }
}

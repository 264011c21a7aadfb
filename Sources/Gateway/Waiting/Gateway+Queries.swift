internal import ControlAPI
internal import HTTPCore
internal import Persistence
internal import PushEngine

/// Calls to the control API that take several turns of the loop.
extension Gateway {
    /// The calls that wait for their next turn. Connections take turns. Each connection's calls are done one after the
    /// other, so that it has at most one answer that is rendered in part.
    struct Queries {
        struct Entry {
            let query: any SlicedCall
            let replyTarget: ReplyTarget
        }

        /// The calls of a connection, oldest first.
        private struct Line {
            let connection: ConnectionID
            var entries: [Entry]
        }

        /// The connection that had its turn last is at the end.
        private var lines: [Line] = []

        var isEmpty: Bool { lines.isEmpty }

        var replyTargets: [ReplyTarget] { lines.flatMap { $0.entries.map(\.replyTarget) } }

        func contains(_ connection: ConnectionID) -> Bool { lines.contains { $0.connection == connection } }

        /// Whether there is a call that may run.
        func canRun(where mayRun: (ReplyTarget) -> Bool) -> Bool {
            lines.contains { mayRun($0.entries[0].replyTarget) }
        }

        mutating func append(_ query: any SlicedCall, _ replyTarget: ReplyTarget) {
            insert(Entry(query: query, replyTarget: replyTarget), isNext: false)
        }

        /// Puts back a call that is not finished. It stays the first one of its connection.
        mutating func putBack(_ entry: Entry) { insert(entry, isNext: true) }

        private mutating func insert(_ entry: Entry, isNext: Bool) {
            let connection = entry.replyTarget.connection
            guard let index = lines.firstIndex(where: { $0.connection == connection }) else {
                return lines.append(Line(connection: connection, entries: [entry]))
            }
            lines[index].entries.insert(entry, at: isNext ? 0 : lines[index].entries.count)
        }

        /// Of the connections whose first call may run, picks the one that has waited longest, and takes its first
        /// call.
        mutating func next(where mayRun: (ReplyTarget) -> Bool) -> Entry? {
            guard let index = lines.firstIndex(where: { mayRun($0.entries[0].replyTarget) }) else { return nil }
            var line = lines.remove(at: index)
            let entry = line.entries.removeFirst()
            if !line.entries.isEmpty { lines.append(line) }
            return entry
        }

        mutating func forget(where shouldRemove: (ReplyTarget) -> Bool) {
            guard !lines.isEmpty else { return }
            for index in lines.indices { lines[index].entries.removeAll { shouldRemove($0.replyTarget) } }
            lines.removeAll(where: \.entries.isEmpty)
        }
    }

    /// Whether there is a waiting query with a client that reads its answers.
    var hasRunnableQueries: Bool { queries.canRun { hasRoom($0) } }

    /// Continues queries until the turn is over.
    func continueQueries() {
        while !queries.isEmpty, let next = queries.next(where: { hasRoom($0) }) {
            run(next)
            if turn.isOver { return }
        }
    }

    /// Answers a call now or, if its work does not fit into this turn, later.
    func start(_ query: any SlicedCall, _ replyTarget: ReplyTarget) {
        if turn.isOver { return enqueue(query, replyTarget) }
        run(Queries.Entry(query: query, replyTarget: replyTarget))
    }

    func enqueue(_ query: any SlicedCall, _ replyTarget: ReplyTarget) {
        queries.append(query, replyTarget)
        scheduleMore?()
    }

    private func run(_ entry: Queries.Entry) {
        let (state, replyTarget) = (stateVersion, entry.replyTarget)
        guard let reply = entry.query.advance(self) else {
            queries.putBack(entry)
            scheduleMore?()
            return
        }
        switch outcome(of: reply, since: state) {
        case .answer(let response): answer(response, to: replyTarget)
        case .afterPersist(let response, _, _):
            hold(HeldReply(to: replyTarget, response, for: nil, fault: nil, isHead: false))
        case .deferred(let reply): wait(for: reply, replyTarget)
        case .fault, .upgrade, .goAway, .tunnel: preconditionFailure("the control API has no such outcome")
        }
    }
}

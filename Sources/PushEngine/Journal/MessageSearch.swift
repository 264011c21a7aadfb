internal import PushCore

/// A search through the messages, newest first. It can be continued later, also after messages were added or deleted.
package struct MessageSearch {
    let filter: MessageFilter
    /// Only messages below this number are left to look at.
    private var end: UInt64
    /// The index of the next row to look at, plus 1. It is valid as long as `Journal.removals` equals `removals`.
    private var index: (value: Int, removals: UInt64)?
    /// The pushes of the device that the filter names, oldest first; nil if it names none.
    private var pushes: [PushID]?
    private var isAtEnd = false
    /// The comparison with the last message that was found, if it takes longer.
    fileprivate var comparison: (message: Message, filter: FilterComparison)?
    package var isDone: Bool { isAtEnd && comparison == nil }

    /// - Parameters:
    ///   - cursor: look only at messages below this number.
    ///   - journal: must be up to date.
    fileprivate init(_ filter: MessageFilter, before cursor: UInt64?, _ journal: borrowing Journal) {
        self.filter = filter
        end = cursor ?? .max
        pushes = filter.device.map { journal.pushes(to: DeviceID($0)) }
    }

    /// Whether messages above this number may be left to look at.
    func isAbove(_ seq: UInt64) -> Bool { end > seq + 1 }

    /// The next row that the filter's fast checks do not exclude, among the next `count` rows.
    fileprivate mutating func next(in journal: borrowing Journal, _ log: borrowing EventLog, atMost count: Int)
        -> Journal.Row?
    {
        pushes == nil ? nextOfAll(in: journal, log, atMost: count) : nextOfDevice(in: journal, log, atMost: count)
    }

    private mutating func nextOfAll(in journal: borrowing Journal, _ log: borrowing EventLog, atMost count: Int)
        -> Journal.Row?
    {
        var position = index?.value ?? 0
        if index?.removals != journal.removals { position = journal.count(before: end) }
        let stop = max(0, position - count)
        defer {
            index = (position, journal.removals)
            isAtEnd = position == 0
        }
        let (prefilter, pattern) = (filter.prefilter, filter.pattern)
        while position > stop {
            position -= 1
            if prefilter.mayMatch(journal.rows[position]), !journal.isDeleted(journal.rows[position].push),
                MessageFilter.mayContain(pattern, journal.rows[position], log)
            {
                end = journal.rows[position].seq
                return journal.rows[position]
            }
        }
        if position < journal.rows.count { end = journal.rows[position].seq }
        return nil
    }

    private mutating func nextOfDevice(in journal: borrowing Journal, _ log: borrowing EventLog, atMost count: Int)
        -> Journal.Row?
    {
        for _ in 0..<count {
            guard let push = pushes?.popLast() else {
                isAtEnd = true
                return nil
            }
            if let row = journal.row(of: push), row.seq < end, filter.prefilter.mayMatch(row),
                filter.mayMatch(row, log)
            {
                return row
            }
        }
        return nil
    }
}

extension PushEngine {
    /// Starts a search. Rows that the journal does not have yet are not found.
    package func search(_ filter: MessageFilter, before cursor: UInt64? = nil) -> MessageSearch {
        MessageSearch(filter, before: cursor, journal)
    }

    /// Looks at the next messages of a search, at most `count`, until one matches. Nil if none of them does, or if the
    /// comparison takes longer.
    package mutating func nextMatch(_ search: inout MessageSearch, atMost count: Int) -> Message? {
        if search.comparison == nil {
            guard let row = search.next(in: journal, events, atMost: count), let message = message(row.seq) else {
                return nil
            }
            search.comparison = (message, FilterComparison(FilterSubject(message, on: message.devices)))
        }
        var steps = FilterComparison.portion
        guard let matches = search.comparison?.filter.advance(search.filter, steps: &steps) else { return nil }
        let message = search.comparison?.message
        search.comparison = nil
        // It may have been deleted in the meantime.
        return message.flatMap { matches && journal.row(of: $0.record.id) != nil ? $0 : nil }
    }

    /// Updates the journal up to the event with this number, by at most `count` events. True if the journal has reached
    /// that event.
    package mutating func updateJournal(to seq: UInt64, atMost count: Int) -> Bool {
        if journal.position < seq { journal.follow(events, atMost: count) }
        return journal.position >= seq
    }
}

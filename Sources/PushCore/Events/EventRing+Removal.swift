/// Removing events that the limits would still keep.
extension EventRing {
    /// Removes the events of a range that match. Their numbers have no event afterwards. Their entries stay empty until
    /// they are the oldest or newest ones, because moving all later events would take long.
    mutating func remove(in range: ClosedRange<UInt64>, where matches: (Event) -> Bool) {
        let start = position(after: range.lowerBound - 1)
        let end = position(after: range.upperBound)
        var sparse: Set<UInt32> = []
        for position in start..<end {
            let index = index(at: position)
            guard let event = entries[index], matches(event) else { continue }
            entries[index] = nil
            let place = places[index]
            guard place.size > 0 else { continue }
            noteRemoval(of: index)
            places[index].size = 0
            if arena.noteRemoval(of: Int(place.size), in: Int(place.segment)) { sparse.insert(place.segment) }
        }
        noteEmptyRuns(start..<end)
        for segment in sparse { arena.cut(Int(segment), keeping: requests(in: segment, near: start)) }
        dropEmptyEntries()
    }

    /// Notes how long the runs of empty entries are, so that readers need not look at each of them again.
    private mutating func noteEmptyRuns(_ positions: Range<Int>) {
        var emptyAfter: UInt32 = 0
        for position in positions.reversed() {
            let index = index(at: position)
            if entries[index] == nil {
                places[index].emptyAfter = emptyAfter
                emptyAfter += 1
            } else {
                emptyAfter = 0
            }
        }
    }

    private mutating func dropEmptyEntries() {
        while count > 0, entries[oldest] == nil {
            oldest = indexAfter(oldest)
            count -= 1
        }
        while count > 0, entries[index(at: count - 1)] == nil {
            nextIndex = index(at: count - 1)
            count -= 1
        }
        // Otherwise the segments of removed requests would stay until the oldest remaining request is forgotten.
        var position = 0
        while position < count, places[index(at: position)].size == 0 { position += 1 }
        arena.forget(before: position < count ? Int(places[index(at: position)].segment) : .max)
    }

    /// The requests of a segment whose events were not removed. The segment has an event at that position or after it.
    private func requests(in segment: UInt32, near position: Int) -> [RequestHandle] {
        // An event without a request has the segment number 0, like an event of the first segment. So a 0 does not end
        // the search.
        var first = position
        while first > 0, case let before = places[index(at: first - 1)].segment, before == 0 || before >= segment {
            first -= 1
        }
        var found: [RequestHandle] = []
        for position in first..<count {
            let place = places[index(at: position)]
            if place.segment > segment { break }
            guard place.segment == segment, place.size > 0, case .push(let record)? = event(at: position)?.detail else {
                continue
            }
            found.append(record.request)
        }
        return found
    }
}

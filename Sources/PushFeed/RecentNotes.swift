/// Remembers what was logged recently, so that a client that tries again and again causes only one line.
package struct RecentNotes {
    /// When each note was made last, on the loop's clock.
    private var times: [String: UInt64] = [:]

    /// After how many milliseconds without the note it counts as new again.
    private static let silence: UInt64 = 60_000
    private static let most = 100

    package init() {}

    /// Whether the note is new: it was not made in the last minute. Each call starts that minute again. Also
    /// false while the table is full.
    package mutating func isNew(_ note: String, at now: UInt64) -> Bool {
        if times.count >= Self.most { times = times.filter { now &- $0.value < Self.silence } }
        guard times.count < Self.most || times[note] != nil else { return false }
        let last = times.updateValue(now, forKey: note)
        return last.map { now &- $0 >= Self.silence } ?? true
    }
}

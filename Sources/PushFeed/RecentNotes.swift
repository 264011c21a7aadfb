/// Remembers what the log has said, so that a client that tries again and again gets one line.
package struct RecentNotes {
    /// When each was last noted, on the loop's clock.
    private var times: [String: UInt64] = [:]

    /// How many milliseconds of silence make a note new again.
    private static let silence: UInt64 = 60_000
    private static let most = 100

    package init() {}

    /// Whether the note was not made in the last minute. Every call begins that minute again.
    package mutating func isNew(_ note: String, at now: UInt64) -> Bool {
        if times.count >= Self.most { times = times.filter { now &- $0.value < Self.silence } }
        guard times.count < Self.most || times[note] != nil else { return false }
        let last = times.updateValue(now, forKey: note)
        return last.map { now &- $0 >= Self.silence } ?? true
    }
}

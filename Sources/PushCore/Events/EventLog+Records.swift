/// Changing a record afterwards, and counting what a reader misses.
extension EventLog {
    /// Replaces the push record in the newest event of a range that has one. Returns the old one; nil if there was none.
    package mutating func changeRecord(
        in range: ClosedRange<UInt64>, _ change: (PushRecord) -> PushRecord
    ) -> PushRecord? {
        for seq in range.reversed() {
            guard let event = event(seq), case .push(let record) = event.detail else { continue }
            let changed = event.with(.push(change(record)))
            if !main.replace(changed) { _ = refused.replace(changed) }
            return record
        }
        return nil
    }

    /// How many events come after that number, without those about refused pushes.
    package func countWithoutRefused(after seq: UInt64) -> Int { main.count(after: seq) }

    /// How many events a reader can't get any more if it has read up to event `seq` and continues with event `next`:
    /// the ones that the log has forgotten.
    ///
    /// - Parameter includesRefused: whether forgotten events about refused pushes count.
    package func missed(after seq: UInt64, before next: UInt64, includesRefused: Bool) -> UInt64 {
        let forgotten = includesRefused ? max(main.forgottenUpTo, refused.forgottenUpTo) : main.forgottenUpTo
        let end = min(next - 1, forgotten)
        return end > seq ? end - seq : 0
    }
}

/// Changing a record afterwards, and counting what a reader misses.
extension EventLog {
    /// Replaces the push record in the newest event up to `seq` that has one.
    package mutating func changeRecord(upTo seq: UInt64, _ change: (PushRecord) -> PushRecord) {
        var seq = seq
        while let event = event(seq) {
            if case .push(let record) = event.detail {
                let changed = event.with(.push(change(record)))
                if !main.replace(changed) { _ = refused.replace(changed) }
                return
            }
            seq -= 1
        }
    }

    /// How many events a reader misses that continues with event `next` after event `seq`.
    ///
    /// - Parameter includesRefused: whether forgotten events about refused pushes count.
    package func missed(after seq: UInt64, before next: UInt64, includesRefused: Bool) -> UInt64 {
        let forgotten = includesRefused ? max(main.forgottenUpTo, refused.forgottenUpTo) : main.forgottenUpTo
        let end = min(next - 1, forgotten)
        return end > seq ? end - seq : 0
    }
}

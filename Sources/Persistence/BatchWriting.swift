internal import Threads
internal import Storage

/// A batch that is written to the disk once, by the first thread that calls `run`. Other threads block until it is
/// written.
final class BatchWriting: Sendable {
    let batch: Store.Batch
    /// The newest event in the batch.
    let last: UInt64
    /// How many tracking hits and changes had happened when the batch was made.
    let counts: Counts
    /// Nil until the batch has been written, or has failed.
    private let outcome = Lock<Result<Void, StorageError>?>(nil)

    struct Counts {
        /// Tracking hits (`PushEngine.trackingTotal`).
        var hits = 0
        /// Changes that no event records (`PushEngine.changeCount`).
        var changes: UInt64 = 0
    }

    init(_ batch: Store.Batch, last: UInt64, _ counts: Counts) {
        self.batch = batch
        self.last = last
        self.counts = counts
    }

    /// Writes the batch if that has not been done yet. Returns the error; nil if it succeeded.
    func run(in store: Store) -> StorageError? {
        outcome.withLock { outcome in
            if outcome == nil {
                do throws(StorageError) {
                    try store.write(batch)
                    outcome = .success(())
                } catch { outcome = .failure(error) }
            }
            if case .failure(let error) = outcome { return error }
            return nil
        }
    }
}

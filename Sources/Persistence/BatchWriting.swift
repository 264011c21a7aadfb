internal import Storage
internal import Synchronization

/// One batch on its way to the disk. Whichever thread comes first writes it; others wait for that without spinning.
final class BatchWriting: Sendable {
    let batch: Store.Batch
    /// The newest event in the batch.
    let last: UInt64
    /// How many tracking hits had come when the batch was made.
    let hits: Int
    /// Nil until the batch has been written, or has failed.
    private let outcome = Mutex<Result<Void, StorageError>?>(nil)

    init(_ batch: Store.Batch, last: UInt64, hits: Int) {
        self.batch = batch
        self.last = last
        self.hits = hits
    }

    /// Writes the batch unless another thread has done so, and returns what came of it.
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

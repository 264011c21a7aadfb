internal import Devices
internal import PushCore
package import PushEngine
package import Storage

/// Writes the event log to a disk: a reader of the log that saves everything since its last batch, and releases the
/// answers of pushes when they are saved.
///
/// One batch is under way at a time; events that come meanwhile are in the next. Nothing here blocks but `end`.
package final class LogPersister {
    /// Runs work on another thread, then calls back on the loop's.
    package typealias Offload = (@escaping @Sendable () -> StorageError?, @escaping (StorageError?) -> Void) -> Void

    /// What a finished batch means for its gateway.
    package enum Progress {
        /// These answers may be sent. `isRecovery`: the batch before had failed.
        case saved([HeldReply], isRecovery: Bool)
        /// The disk did not take the batch: these pushes are refused. `isNews`: the batch before had been saved.
        case failed(StorageError, [HeldReply], isNews: Bool)
    }

    private let store: Store
    private let offload: Offload
    /// How many unsaved events slow the gateway down, and how many make it refuse pushes.
    private let backlog: (slowing: UInt64, refusing: UInt64)
    /// The newest event that is saved.
    package private(set) var savedUpTo: UInt64 = 0
    private var savedHits = 0
    private var underWay: BatchWriting?
    /// Why the last batch was not saved. Pushes are refused until one is.
    package private(set) var problem: StorageError?
    /// Loop time of the next try after a failure.
    private var retryAt: UInt64 = 0
    private var held: [(seq: UInt64, reply: HeldReply)] = []

    private static let batchLimit: UInt64 = 10_000
    private static let retryPause: UInt64 = 1000

    /// - Parameter logCapacity: how many events the log keeps. It forgets older ones, saved or not.
    package init(_ store: Store, logCapacity: Int, offload: @escaping Offload) {
        self.store = store
        self.offload = offload
        backlog = (UInt64(logCapacity / 2), UInt64(logCapacity - logCapacity / 4))
    }

    package func hasWork(in engine: borrowing PushEngine, at loopNow: UInt64) -> Bool {
        underWay == nil && needsBatch(for: engine) && loopNow >= retryAt
    }

    private func needsBatch(for engine: borrowing PushEngine) -> Bool {
        savedUpTo < engine.events.newest || engine.deletions.ofEvents || engine.deletions.ofTracking
    }

    /// So much is unsaved that no more should be read from sockets for now.
    package func isBehind(_ engine: borrowing PushEngine) -> Bool {
        problem == nil && engine.events.newest - savedUpTo > backlog.slowing
    }

    /// The log could forget a push before it is saved, or the disk fails: pushes have to be refused.
    package func refusesPushes(_ engine: borrowing PushEngine) -> Bool {
        problem != nil || engine.events.newest - savedUpTo > backlog.refusing
    }

    /// Holds an answer until everything that has happened is saved.
    package func hold(_ reply: HeldReply, newest: UInt64) { held.append((newest, reply)) }

    /// Drops the answers of a client that has gone, or of one of its streams.
    package func forget(where isGone: (ReplyTarget) -> Bool) {
        if !held.isEmpty { held.removeAll { isGone($0.reply.target) } }
    }

    /// Starts writing a batch on another thread. `done` is called on the loop's thread, and has to call `finish`.
    package func begin(_ engine: inout PushEngine, done: @escaping (StorageError?) -> Void) {
        let writing = nextBatch(of: &engine)
        underWay = writing
        offload { [store] in
            writing.run(in: store)
        } _: { [weak self] error in
            // Not if `end` has waited for it.
            if let self, underWay === writing { done(error) }
        }
    }

    /// Takes in what came of the batch that was under way.
    package func finish(_ error: StorageError?, _ engine: inout PushEngine, at loopNow: UInt64) -> Progress {
        guard let writing = underWay else { preconditionFailure("no batch is under way") }
        underWay = nil
        if let error { return fail(error, writing.batch, &engine, at: loopNow) }
        let isRecovery = problem != nil
        problem = nil
        savedUpTo = max(savedUpTo, writing.last)
        savedHits = max(savedHits, writing.hits)
        let count = held.prefix { $0.seq <= savedUpTo }.count
        let released = held.prefix(count).map(\.reply)
        held.removeFirst(count)
        return .saved(released, isRecovery: isRecovery)
    }

    private func fail(
        _ error: StorageError, _ batch: Store.Batch, _ engine: inout PushEngine, at loopNow: UInt64
    ) -> Progress {
        let isNews = problem == nil
        problem = error
        retryAt = loopNow + Self.retryPause
        engine.deletions.ofEvents = engine.deletions.ofEvents || batch.replacesEvents
        engine.deletions.ofTracking = engine.deletions.ofTracking || batch.forgetsTracking
        engine.markUnsaved(devices: batch.devices.map(\.id), tracking: batch.tracking.map(\.key))
        defer { held = [] }
        return .failed(error, held.map(\.reply), isNews: isNews)
    }

    /// Saves everything, into one file, and waits for it. Only for the end of the process.
    package func end(_ engine: inout PushEngine, at loopNow: UInt64) -> [Progress] {
        var progress: [Progress] = []
        repeat {
            if underWay == nil, needsBatch(for: engine) { underWay = nextBatch(of: &engine) }
            guard let writing = underWay else { break }
            progress.append(finish(writing.run(in: store), &engine, at: loopNow))
        } while problem == nil
        store.settle()
        return progress
    }

    private func nextBatch(of engine: inout PushEngine) -> BatchWriting {
        var batch = Store.Batch()
        let newest = engine.events.newest
        let oldest = newest - UInt64(engine.events.count)
        let deletions = engine.deletions
        engine.deletions = PushEngine.Deletions()
        // After a deletion the batch writes all events again.
        let start = deletions.ofEvents ? oldest : max(savedUpTo, oldest)
        let last = deletions.ofEvents ? newest : min(newest, start + Self.batchLimit)
        var writer = ByteWriter()
        if start < last { engine.events.write((start + 1)...last, to: &writer) }
        if !writer.bytes.isEmpty { batch.events = (Int64(start + 1), Int64(last), writer.bytes) }
        batch.replacesEvents = deletions.ofEvents
        batch.forgetsUpTo = Int64(oldest)
        batch.devices = engine.takeUnsavedDevices()
        batch.forgetsTracking = deletions.ofTracking
        batch.tracking = engine.takeUnsavedTracking(since: deletions.ofTracking ? 0 : savedHits)
        batch.numbers = engine.counters
        return BatchWriting(batch, last: last, hits: engine.trackingTotal)
    }

    /// Gives the engine back the state that was saved last.
    package func restore(_ engine: inout PushEngine) throws(StorageError) {
        let contents = try store.load()
        var snapshot = EngineSnapshot()
        snapshot.events = contents.events
        snapshot.devices = contents.devices
        snapshot.tracking = contents.tracking
        snapshot.counters = contents.numbers
        do throws(EngineSnapshot.Damage) { try engine.restore(snapshot) } catch {
            throw StorageError("read", store.path, because: "\(error.reason); move the file away to start afresh")
        }
        savedUpTo = engine.events.newest
        savedHits = engine.trackingTotal
        engine.startNotingChanges()
    }
}

@available(*, unavailable) extension LogPersister: Sendable {}

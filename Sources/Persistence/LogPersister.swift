internal import Devices
internal import PushCore
package import PushEngine
package import Storage

/// Saves the event log and the rest of the engine's state on a disk, in batches. Releases the answers to pushes and to
/// calls when the batch with their changes is saved.
///
/// One batch is written at a time. Later events go into the next batch. Only `end` blocks.
package final class LogPersister {
    /// Runs the first closure on another thread, then calls the second with its result on the loop's thread.
    package typealias Offload = (@escaping @Sendable () -> StorageError?, @escaping (StorageError?) -> Void) -> Void

    /// What the gateway has to do after a batch.
    package enum Progress {
        /// Send these answers. `isRecovery`: the previous batch had failed.
        case saved([HeldReply], isRecovery: Bool)
        /// Answer these pushes and calls with 503, because the batch was not saved. `isNewProblem`: the previous batch
        /// had been saved.
        case failed(StorageError, [HeldReply], isNewProblem: Bool)
    }

    let store: Store
    private let offload: Offload
    /// The numbers of unsaved events at which the gateway pauses reading, and at which it refuses pushes.
    private let backlog: (slowing: UInt64, refusing: UInt64)
    /// The newest saved event.
    package internal(set) var savedUpTo: UInt64 = 0
    /// The random number of the store's file.
    package internal(set) var identity: Int64 = 0
    /// How many tracking hits and changes are saved.
    var saved = BatchWriting.Counts()
    private var current: BatchWriting?
    /// The batch that is being prepared.
    var draft: Draft?
    /// Changed devices still to be saved, with the newest event and the change count when they were collected. Once all
    /// of them are saved, everything up to that point is saved.
    var devices: (remaining: ArraySlice<DeviceID>, newestEvent: UInt64, changeCount: UInt64) = ([], 0, 0)
    /// Why the last batch was not saved; nil if it was. Pushes are refused until a batch is saved.
    package private(set) var problem: StorageError?
    /// Loop time of the next try after a failure.
    private var retryAt: UInt64 = 0
    private var held: [(seq: UInt64, changes: UInt64, reply: HeldReply)] = []

    private static let retryPause: UInt64 = 1000

    /// - Parameter logCapacity: the number of events that the log keeps. It drops older ones, even if they are not
    ///   saved.
    package init(_ store: Store, logCapacity: Int, offload: @escaping Offload) {
        self.store = store
        self.offload = offload
        backlog = (UInt64(logCapacity / 2), UInt64(logCapacity - logCapacity / 4))
    }

    package func hasWork(in engine: borrowing PushEngine, at loopNow: UInt64) -> Bool {
        current == nil && needsBatch(for: engine) && loopNow >= retryAt
    }

    private func needsBatch(for engine: borrowing PushEngine) -> Bool {
        hasUnsaved(engine) || engine.deletions.ofEvents || engine.deletions.ofTracking || draft != nil
            || !devices.remaining.isEmpty
    }

    /// Whether anything has happened that is not on the disk yet.
    package func hasUnsaved(_ engine: borrowing PushEngine) -> Bool {
        savedUpTo < engine.events.newest || saved.changes < engine.changeCount
    }

    /// Whether so many events are unsaved that the gateway should pause reading.
    package func isBehind(_ engine: borrowing PushEngine) -> Bool {
        problem == nil && engine.events.newest - savedUpTo > backlog.slowing
    }

    /// Whether the log has room for refused pushes, although they can't be saved now.
    package func hasRoomForRefusals(_ engine: borrowing PushEngine) -> Bool {
        engine.events.newest - savedUpTo <= backlog.slowing
    }

    /// Whether pushes have to be refused, because the disk fails or the log could drop a push before it is saved. Events
    /// about refused pushes don't count, because they never push out others.
    package func refusesPushes(_ engine: borrowing PushEngine) -> Bool {
        problem != nil
            || engine.events.newest - savedUpTo > backlog.refusing
                && engine.events.countWithoutRefused(after: savedUpTo) > backlog.refusing
    }

    /// Holds an answer until everything that has happened so far is saved.
    package func hold(_ reply: HeldReply, _ engine: borrowing PushEngine) {
        held.append((engine.events.newest, engine.changeCount, reply))
    }

    /// Drops the answers for closed connections or streams.
    package func forget(where isGone: (ReplyTarget) -> Bool) {
        if !held.isEmpty { held.removeAll { isGone($0.reply.target) } }
    }

    /// Prepares a batch, or starts to write it on another thread. Then `done` is called on the loop's thread, and must
    /// call `finish`.
    ///
    /// - Returns: false if the batch is not prepared yet, so the function has to be called again.
    package func begin(_ engine: inout PushEngine, done: @escaping (StorageError?) -> Void) -> Bool {
        guard let writing = nextBatch(of: &engine) else { return false }
        current = writing
        offload { [store] in
            writing.run(in: store)
        } _: { [weak self] error in
            // `end` may have finished this batch already.
            if let self, current === writing { done(error) }
        }
        return true
    }

    /// Handles the result of the current batch.
    package func finish(_ error: StorageError?, _ engine: inout PushEngine, at loopNow: UInt64) -> Progress {
        guard let writing = current else { preconditionFailure("no batch is being written") }
        current = nil
        if let error { return fail(error, writing.batch, &engine, at: loopNow) }
        let isRecovery = problem != nil
        problem = nil
        savedUpTo = max(savedUpTo, writing.last)
        saved.hits = max(saved.hits, writing.counts.hits)
        saved.changes = max(saved.changes, writing.counts.changes)
        let count = held.prefix { $0.seq <= savedUpTo && $0.changes <= saved.changes }.count
        let released = held.prefix(count).map(\.reply)
        held.removeFirst(count)
        return .saved(released, isRecovery: isRecovery)
    }

    private func fail(
        _ error: StorageError, _ batch: Store.Batch, _ engine: inout PushEngine, at loopNow: UInt64
    ) -> Progress {
        let isNewProblem = problem == nil
        problem = error
        retryAt = loopNow + Self.retryPause
        engine.deletions.ofEvents = engine.deletions.ofEvents || batch.replacesEvents
        engine.deletions.ofTracking = engine.deletions.ofTracking || batch.deletesTracking
        engine.markUnsaved(
            devices: batch.devices.map(\.id) + devices.remaining.map(\.description), tracking: batch.tracking.map(\.key)
        )
        devices.remaining = []
        engine.markUnsaved(records: batch.records.map { ($0.kind, $0.key) })
        for index in held.indices {
            let (seq, _, reply) = held[index]
            guard let call = reply.call, call.newestEventBefore < seq else { continue }
            held[index].reply.refusedRequest = engine.replaceRecordedAnswer(
                in: call.newestEventBefore + 1...seq, call.provider, reply.fault, on: reply.target.stream ?? 0)
        }
        defer { held = [] }
        return .failed(error, held.map(\.reply), isNewProblem: isNewProblem)
    }

    /// Saves everything into one file, and blocks until that is done. Call this only when the process ends.
    package func end(_ engine: inout PushEngine, at loopNow: UInt64) -> [Progress] {
        var progress: [Progress] = []
        repeat {
            while current == nil, needsBatch(for: engine) { current = nextBatch(of: &engine) }
            guard let writing = current else { break }
            progress.append(finish(writing.run(in: store), &engine, at: loopNow))
        } while problem == nil
        store.checkpoint()
        return progress
    }
}

@available(*, unavailable) extension LogPersister: Sendable {}

internal import Platform
internal import Devices
internal import Glibc
internal import HTTP2
internal import HTTPCore
internal import PushCore
internal import Storage
internal import Synchronization

/// Keeps what happens on a disk: a reader of the log that writes all that has come since, and lets providers' answers go
/// when their pushes are kept. One batch is under way at a time; what comes meanwhile is the next.
final class LogPersister {
    typealias Offload = (@escaping @Sendable () -> StorageError?, @escaping (StorageError?) -> Void) -> Void

    private let store: Store
    private unowned let gateway: Gateway
    /// Another thread for the writing.
    private let offload: Offload
    /// Up to here the log is kept.
    private(set) var savedUpTo: UInt64 = 0
    private var savedHits = 0
    private var underWay: Writing?
    /// Why the last batch was not kept; pushes are refused meanwhile.
    private(set) var problem: StorageError?
    /// Loop time of the next try.
    private var retryAt: UInt64 = 0
    private var replacesEvents = false
    private var forgetsTracking = false
    private var held: [(seq: UInt64, replyTarget: ReplyTarget, response: Response)] = []

    /// A batch that another thread writes.
    private final class Writing: Sendable {
        let batch: Store.Batch
        let last: UInt64
        let hits: Int
        /// Nil: it is not done yet.
        let outcome = Mutex<StorageError??>(nil)

        init(_ batch: Store.Batch, _ last: UInt64, _ hits: Int) {
            self.batch = batch
            self.last = last
            self.hits = hits
        }

        func run(in store: Store) -> StorageError? {
            var failure: StorageError?
            do throws(StorageError) { try store.write(batch) } catch { failure = error }
            outcome.withLock { $0 = .some(failure) }
            return failure
        }
    }

    /// Events of one batch, and how many may wait before the loop waits with them.
    private static let mostEvents: UInt64 = 10_000
    private static let pause: UInt64 = 1000

    init(_ store: Store, _ gateway: Gateway, offload: @escaping Offload) {
        self.store = store
        self.gateway = gateway
        self.offload = offload
    }

    var hasWork: Bool {
        underWay == nil && (savedUpTo < gateway.engine.events.newest || replacesEvents || forgetsTracking)
            && gateway.loopNow >= retryAt
    }

    /// Too much waits for the disk: what the log forgets could be lost.
    var isBehind: Bool { gateway.engine.events.newest - savedUpTo > UInt64(gateway.configuration.logCapacity / 2) }

    /// Lets an answer wait until all that has happened is kept.
    func hold(_ response: Response, for replyTarget: ReplyTarget) {
        held.append((gateway.engine.events.newest, replyTarget, response))
    }

    func forget(_ connection: ConnectionID, _ stream: StreamID?) {
        if !held.isEmpty {
            held.removeAll {
                $0.replyTarget.connection == connection && (stream == nil || $0.replyTarget.stream == stream)
            }
        }
    }

    /// Messages were deleted: what is kept of events is written anew.
    func replaceEvents() { replacesEvents = true }
    func forgetTracking() { forgetsTracking = true }

    func begin() {
        let writing = nextBatch()
        underWay = writing
        offload { [store] in
            writing.run(in: store)
        } _: { [weak self] error in
            guard let self, underWay === writing else { return }
            finish(error, writing, isInTurn: false)
            if hasWork { begin() }
        }
    }

    /// The same while the loop waits.
    func catchUp() {
        if let writing = underWay {
            var outcome: StorageError??
            while outcome == nil {
                usleep(200)
                outcome = writing.outcome.withLock { $0 }
            }
            finish(outcome ?? nil, writing, isInTurn: true)
        }
        while savedUpTo < gateway.engine.events.newest || replacesEvents || forgetsTracking {
            let writing = nextBatch()
            let failure = writing.run(in: store)
            finish(failure, writing, isInTurn: true)
            if failure != nil { return }
        }
    }

    /// Everything is kept, in one file.
    func end() {
        catchUp()
        store.settle()
    }

    private func finish(_ error: StorageError?, _ writing: Writing, isInTurn: Bool) {
        let batch = writing.batch
        underWay = nil
        if let error {
            if problem == nil {
                gateway.log(
                    .error, "not kept", at: gateway.clock.now,
                    ["error": error.description, "because": "pushes are refused until the disk takes them"])
            }
            problem = error
            retryAt = gateway.loopNow + Self.pause
            replacesEvents = replacesEvents || batch.replacesEvents
            forgetsTracking = forgetsTracking || batch.forgetsTracking
            for device in batch.devices { gateway.engine.events.addChanged(DeviceID(device.id)) }
            for row in batch.tracking {
                if let number = UInt64(row.key.dropFirst()), row.key.hasPrefix("p") {
                    gateway.engine.tracking.unsaved.insert(PushID(number))
                }
            }
            let refused = held
            held = []
            return gateway.refuseHeld(refused.map(\.replyTarget), isInTurn: isInTurn)
        }
        if problem != nil { gateway.log(.info, "kept again", at: gateway.clock.now) }
        problem = nil
        savedUpTo = max(savedUpTo, writing.last)
        savedHits = max(savedHits, writing.hits)
        let count = held.prefix { $0.seq <= savedUpTo }.count
        let ready = held.prefix(count).map { ($0.replyTarget, $0.response) }
        held.removeFirst(count)
        gateway.answerHeld(ready, isInTurn: isInTurn)
    }

    private func nextBatch() -> Writing {
        var batch = Store.Batch()
        let newest = gateway.engine.events.newest
        let oldest = newest - UInt64(gateway.engine.events.count)
        let start = replacesEvents ? oldest : max(savedUpTo, oldest)
        let last = replacesEvents ? newest : min(newest, start + Self.mostEvents)
        var writer = ByteWriter()
        if start < last { gateway.engine.events.write((start + 1)...last, to: &writer) }
        if !writer.bytes.isEmpty { batch.events = (Int64(start + 1), Int64(last), writer.bytes) }
        batch.replacesEvents = replacesEvents
        batch.forgetsUpTo = Int64(oldest)
        batch.devices = gateway.engine.events.takeChangedDevices().map { id in
            (id.description, gateway.engine.devices.place(of: id).map { gateway.engine.devices.keep($0) })
        }
        batch.forgetsTracking = forgetsTracking
        batch.tracking = gateway.engine.tracking.takeUnsaved(since: forgetsTracking ? 0 : savedHits)
        batch.numbers = gateway.engine.counters
        replacesEvents = false
        forgetsTracking = false
        return Writing(batch, last, gateway.engine.tracking.total)
    }

    /// What was kept before is there again.
    func restore() throws(StorageError) {
        let contents = try store.load()
        try gateway.engine.restore(contents, path: store.path)
        savedUpTo = gateway.engine.events.newest
        savedHits = gateway.engine.tracking.total
        _ = gateway.engine.events.takeChangedDevices()
        gateway.engine.events.notesDevices = true
    }
}

@available(*, unavailable) extension LogPersister: Sendable {}

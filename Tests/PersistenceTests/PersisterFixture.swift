import Devices
import Glibc
import HTTPCore
import PushCore
import PushEngine
import Storage
import TestSupport

@testable import Persistence

/// An engine, a store in a temporary directory, and the thread that writes to it: a list of work that the test does when
/// it wants.
final class PersisterFixture {
    let scratch: Scratch
    let store: Store
    private(set) var persister: LogPersister
    var engine: PushEngine
    private let silent = SilentNotifier()
    private let writer = Writer()
    /// What came of each batch.
    private(set) var progress: [LogPersister.Progress] = []
    /// What the loop was called back with, and has not handed to the persister yet.
    private var isDone: [StorageError?] = []

    static let start = Timestamp(milliseconds: 1_800_000_000_000)

    init(logCapacity: Int = 1000, in scratch: Scratch = Scratch()) throws {
        self.scratch = scratch
        store = try Store(directory: scratch.directory)
        let writer = writer
        persister = LogPersister(store, logCapacity: logCapacity) { work, done in writer.add(work, done) }
        var settings = EngineSettings()
        settings.logCapacity = logCapacity
        engine = PushEngine(settings, notifier: silent)
        try persister.restore(&engine)
    }

    /// Work that was handed to another thread.
    final class Writer {
        private var work: [(work: @Sendable () -> StorageError?, done: (StorageError?) -> Void)] = []

        var count: Int { work.count }

        func add(_ work: @escaping @Sendable () -> StorageError?, _ done: @escaping (StorageError?) -> Void) {
            self.work.append((work, done))
        }

        /// Does the oldest. `error`: the disk fails instead.
        func run(failing error: StorageError? = nil) {
            let (work, done) = self.work.removeFirst()
            done(error ?? work())
        }
    }

    private final class SilentNotifier: DeviceNotifier {
        func notify(_ viewers: [PushEngine.Viewer], of event: Event, _ arrival: PushEngine.InboundPush?) {}
        func dismiss(_ viewers: [PushEngine.Viewer]) {}
    }

    var isBehind: Bool { persister.isBehind(engine) }
    var refusesPushes: Bool { persister.refusesPushes(engine) }

    /// Batches that are being written.
    var underWay: Int { writer.count }

    func note(_ count: Int = 1) {
        for _ in 0..<count { engine.events.append(.state, at: Self.start, about: Event.Subject(app: "a")) }
    }

    /// Appends events about refused pushes.
    func refuse(_ count: Int) {
        for _ in 0..<count { engine.events.append(.refused, at: Self.start, about: Event.Subject(app: "a")) }
    }

    @discardableResult func make(_ id: String) throws -> Int {
        let text = #"{"id":"\#(id)","platform":"ios","app":"a"}"#
        guard let slot = engine.makeDevice(try DeviceSpec(try json(text), at: ""), at: Self.start) else {
            preconditionFailure("no room for '\(id)'")
        }
        return slot
    }

    /// Starts a batch if there is something to save. True if it did.
    @discardableResult func begin(at loopNow: UInt64 = 0) -> Bool {
        guard persister.hasWork(in: engine, at: loopNow) else { return false }
        while true {
            let isPrepared = persister.begin(&engine) { [unowned self] error in
                progress.append(persister.finish(error, &engine, at: loopNow))
            }
            if isPrepared { return true }
        }
    }

    /// Lets the other thread write the oldest batch.
    func finish(failing error: StorageError? = nil) { writer.run(failing: error) }

    /// Saves all there is.
    func save(at loopNow: UInt64 = 0) {
        while begin(at: loopNow) { finish() }
    }

    func end(at loopNow: UInt64 = 0) { progress += persister.end(&engine, at: loopNow) }

    /// Holds the answer to a request on that stream until everything so far is saved.
    func hold(_ stream: StreamID) {
        let target = ReplyTarget(connection: ClientID(slot: 1, generation: 1), stream: stream)
        persister.hold(HeldReply(to: target, Response(status: 200), for: nil, fault: nil, isHead: false), engine)
    }

    /// What came of the batches since the last call: `saved 1 3`, `failed 5`, with the streams of the answers; `again`
    /// marks the first success after a failure, and `first` the first failure.
    func takeProgress() -> [String] {
        defer { progress = [] }
        return progress.map { progress in
            let (word, replies, mark): (String, [HeldReply], String?) =
                switch progress {
                case .saved(let replies, let isRecovery): ("saved", replies, isRecovery ? "again" : nil)
                case .failed(_, let replies, let isNewProblem): ("failed", replies, isNewProblem ? "first" : nil)
                }
            let streams = replies.map { String($0.target.stream ?? 0) }
            return ([word] + streams + [mark].compactMap(\.self)).joined(separator: " ")
        }
    }

    /// The numbers of the events that the store holds.
    func savedEvents(of part: EventLog.Part = .main) throws -> [UInt64] {
        var seqs: [UInt64] = []
        let contents = try store.load()
        for piece in part == .main ? contents.events : contents.refused {
            var reader = ByteReader(piece)
            while !reader.isAtEnd { seqs.append(try Event.read(from: &reader).event.seq) }
        }
        return seqs
    }
}

extension StorageError {
    static let full = StorageError("write", "the test's disk", because: "it is full")
}

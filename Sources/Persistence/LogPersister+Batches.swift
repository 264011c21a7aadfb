internal import PushCore
internal import PushEngine
internal import Storage

/// What the next batch contains.
extension LogPersister {
    private static let batchLimit: UInt64 = 10_000
    /// The number of devices in a batch. To encode them takes about 2 ms.
    private static let deviceLimit = 400

    /// The number of events that are encoded in one turn, in about 2 ms.
    private static let eventPortion: UInt64 = 400

    /// A batch whose events are being encoded.
    struct Draft {
        var batch = Store.Batch()
        /// The events after this number come into the batch, up to `last`.
        let start: UInt64
        let last: UInt64
        /// The last event that was encoded.
        var position: UInt64
        var main = ByteWriter()
        var refused = ByteWriter()

        fileprivate func piece(_ bytes: [UInt8]) -> (first: Int64, last: Int64, bytes: [UInt8])? {
            start < last && !bytes.isEmpty ? (Int64(start + 1), Int64(last), bytes) : nil
        }
    }

    /// Prepares the next batch, one step at a time. Nil while steps are left.
    func nextBatch(of engine: inout PushEngine) -> BatchWriting? {
        if draft == nil {
            if let portion = nextDevices(of: &engine) { return portion }
            draft = startDraft(of: &engine)
        }
        guard var draft else { return nil }
        self.draft = nil
        if draft.position < draft.last {
            let range = (draft.position + 1)...min(draft.last, draft.position + Self.eventPortion)
            engine.events.write(range, of: .main, without: engine.deletedPushes, to: &draft.main)
            engine.events.write(range, of: .refused, without: engine.deletedPushes, to: &draft.refused)
            draft.position = range.upperBound
            if draft.position < draft.last {
                self.draft = draft
                return nil
            }
        }
        var batch = draft.batch
        (batch.events, batch.refused) = (draft.piece(draft.main.bytes), draft.piece(draft.refused.bytes))
        batch.tracking = engine.takeUnsavedTracking(since: batch.deletesTracking ? 0 : saved.hits)
        let counts = BatchWriting.Counts(hits: engine.trackingTotal, changes: devices.changeCount)
        batch.records = engine.takeUnsavedRecords()
        batch.numbers = engine.counters
        return BatchWriting(batch, last: draft.last, counts)
    }

    /// A batch with some of the changed devices; nil if none are left, or so few that they go into the
    /// batch with the events.
    private func nextDevices(of engine: inout PushEngine) -> BatchWriting? {
        if devices.remaining.isEmpty {
            devices = (engine.takeUnsavedDevices()[...], engine.events.newest, engine.changeCount)
        }
        guard devices.remaining.count > Self.deviceLimit else { return nil }
        var batch = Store.Batch()
        batch.devices = engine.encodedDevices(devices.remaining.prefix(Self.deviceLimit))
        devices.remaining = devices.remaining.dropFirst(Self.deviceLimit)
        // The events come after the last devices, so no answer is sent before its devices are saved.
        batch.numbers = engine.counters
        return BatchWriting(batch, last: savedUpTo, saved)
    }

    private func startDraft(of engine: inout PushEngine) -> Draft {
        let forgotten = (
            main: engine.events.forgottenUpTo(in: .main), refused: engine.events.forgottenUpTo(in: .refused)
        )
        let oldest = min(forgotten.main, forgotten.refused)
        let deletions = engine.deletions
        engine.deletions = PushEngine.Deletions()
        // After a deletion the batch writes all events again.
        let start = deletions.ofEvents ? oldest : max(savedUpTo, oldest)
        let last = deletions.ofEvents ? devices.newestEvent : min(devices.newestEvent, start + Self.batchLimit)
        var draft = Draft(start: start, last: last, position: start)
        draft.batch.devices = engine.encodedDevices(devices.remaining)
        devices.remaining = []
        draft.batch.replacesEvents = deletions.ofEvents
        draft.batch.deletesTracking = deletions.ofTracking
        draft.batch.deletesEventsUpTo = Int64(forgotten.main)
        draft.batch.deletesRefusedUpTo = Int64(forgotten.refused)
        return draft
    }
}

internal import PushCore
internal import PushEngine
internal import Storage

/// What the next batch contains.
extension LogPersister {
    private static let batchLimit: UInt64 = 10_000
    /// The number of devices in a batch. To encode them takes about 2 ms.
    private static let deviceLimit = 400

    func nextBatch(of engine: inout PushEngine) -> BatchWriting {
        var batch = Store.Batch()
        if devices.left.isEmpty {
            devices = (engine.takeUnsavedDevices()[...], engine.events.newest, engine.changeCount)
        }
        batch.devices = engine.encodedDevices(devices.left.prefix(Self.deviceLimit))
        devices.left = devices.left.dropFirst(Self.deviceLimit)
        if !devices.left.isEmpty {
            // The events come after the last devices, so no answer is sent before its devices are saved.
            batch.numbers = engine.counters
            return BatchWriting(batch, last: savedUpTo, saved)
        }
        if engine.deletions.ofEvents {
            batch.devices += engine.encodedDevices(engine.takeUnsavedDevices())
            devices = ([], engine.events.newest, engine.changeCount)
        }
        let newest = devices.events
        let forgotten = (
            main: engine.events.forgottenUpTo(in: .main), refused: engine.events.forgottenUpTo(in: .refused)
        )
        let oldest = min(forgotten.main, forgotten.refused)
        let deletions = engine.deletions
        engine.deletions = PushEngine.Deletions()
        // After a deletion the batch writes all events again.
        let start = deletions.ofEvents ? oldest : max(savedUpTo, oldest)
        let last = deletions.ofEvents ? newest : min(newest, start + Self.batchLimit)
        func piece(_ part: EventLog.Part) -> (first: Int64, last: Int64, bytes: [UInt8])? {
            guard start < last else { return nil }
            var writer = ByteWriter()
            engine.events.write((start + 1)...last, of: part, without: engine.deletedPushes, to: &writer)
            return writer.bytes.isEmpty ? nil : (Int64(start + 1), Int64(last), writer.bytes)
        }
        batch.events = piece(.main)
        batch.refused = piece(.refused)
        batch.replacesEvents = deletions.ofEvents
        batch.deletesEventsUpTo = Int64(forgotten.main)
        batch.deletesRefusedUpTo = Int64(forgotten.refused)
        batch.deletesTracking = deletions.ofTracking
        batch.tracking = engine.takeUnsavedTracking(since: deletions.ofTracking ? 0 : saved.hits)
        let counts = BatchWriting.Counts(hits: engine.trackingTotal, changes: devices.changes)
        batch.records = engine.takeUnsavedRecords()
        batch.numbers = engine.counters
        return BatchWriting(batch, last: last, counts)
    }
}

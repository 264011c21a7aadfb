internal import PushCore
package import PushEngine
package import Storage

extension LogPersister {
    /// Restores the saved state into a new engine.
    package func restore(_ engine: inout PushEngine) throws(StorageError) {
        let contents = try store.load()
        var snapshot = EngineSnapshot()
        snapshot.events = contents.events
        snapshot.refused = contents.refused
        snapshot.devices = contents.devices
        snapshot.tracking = contents.tracking
        snapshot.records = contents.records
        snapshot.counters = contents.numbers
        do throws(EngineSnapshot.Damage) { try engine.restore(snapshot) } catch {
            throw .damaged(store.path, error.reason)
        }
        // If the newest events were missing, new events would get the same numbers again. Writing their row would
        // fail, because an old row already has the same key.
        guard contents.lastEvent <= engine.events.newest else {
            throw .damaged(
                store.path,
                "a row of the table events or refused should end with event \(contents.lastEvent), but lacks that event"
            )
        }
        identity = contents.identity
        savedUpTo = engine.events.newest
        engine.startCollectingChanges()
        saved = BatchWriting.Counts(hits: engine.trackingTotal, changes: 0)
    }
}

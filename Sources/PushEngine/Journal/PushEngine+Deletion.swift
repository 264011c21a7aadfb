internal import Devices
internal import Faults
package import PushCore

/// Deleting messages, and resetting the engine.
extension PushEngine {
    /// Whether events or tracking hits were deleted since the log was last saved.
    package struct Deletions {
        package var ofEvents = false
        package var ofTracking = false

        package init() {}
    }

    /// The deletion of messages, which is done in portions. As soon as it has begun, no call finds the messages. The
    /// next batch replaces the events on the disk and leaves these out, so after a crash all or none of them are there.
    package final class Deletion {
        /// The newest event when it began.
        fileprivate let newest: UInt64
        /// The next event to look at.
        fileprivate var next: UInt64
        /// The messages are still to be removed from the expectations before this index.
        fileprivate var expectationsLeft: Int
        /// The number of deleted messages, once it is complete.
        package fileprivate(set) var count: Int?

        fileprivate init(_ log: borrowing EventLog, _ expectations: borrowing Expectations) {
            expectationsLeft = expectations.entryCount
            newest = log.newest
            next = log.event(after: 0)?.seq ?? newest + 1
        }
    }

    /// Begins to delete messages, with everything recorded about them. There must be no other deletion. Judge the
    /// expectations first, because deleted messages no longer count.
    package mutating func beginDeletion(of pushes: Set<PushID>) -> Deletion {
        let started = Deletion(events, expectations)
        if pushes.isEmpty {
            started.count = 0
            return started
        }
        journal.beginRemoval(of: pushes)
        deletion = started
        deletions.ofEvents = true
        noteDeletion()
        return started
    }

    /// Continues the current deletion with about `count` more steps. Returns true if no work is left.
    /// Any call may continue the deletion, because the call that began it may be gone.
    package mutating func continueDeletion(atMost count: Int) -> Bool {
        guard let current = deletion else { return true }
        if current.expectationsLeft > 0 {
            current.expectationsLeft = expectations.forget(
                deletedPushes, before: current.expectationsLeft, atMost: count)
            return false
        }
        if current.next <= current.newest {
            let (range, gone) = (current.next...min(current.newest, current.next + UInt64(count) - 1), deletedPushes)
            events.forget(in: range) { $0.push.map(gone.contains) ?? false }
            current.next = range.upperBound + 1
            return false
        }
        guard let removed = journal.continueRemoval(atMost: count) else { return false }
        current.count = removed
        metrics.deleted += removed
        deletion = nil
        return true
    }

    /// Notes that the current call has changed something, so its answer waits until everything so far is on the disk.
    /// If another call has finished this call's deletion, nothing else shows that the call has made a change.
    package mutating func noteDeletion() { changes.noteDeletion() }

    /// The messages that are being deleted.
    package var deletedPushes: Set<PushID> { journal.removal?.pushes ?? [] }

    /// Deletes messages in one go. Returns their number.
    @discardableResult package mutating func deleteMessages(_ pushes: Set<PushID>) -> Int {
        updateJournal()
        while !continueDeletion(atMost: 1000) {}
        let deletion = beginDeletion(of: pushes)
        while !continueDeletion(atMost: 1000) {}
        return deletion.count ?? 0
    }

    /// Deletes a device as part of a reset. Devices with viewers and real receivers
    /// stay, with an empty shade. True if it was deleted.
    package mutating func resetDevice(_ slot: Int, at now: Timestamp) -> Bool {
        // A real receiver that has ended is forgotten.
        let isLive = devices[slot].receiver != nil && !devices[slot].isAppRemoved
        guard watches[slot].viewers.isEmpty, !isLive else {
            discardNotifications(slot, at: now)
            return false
        }
        deleteDevice(slot, at: now)
        return true
    }

    /// The last step of a reset, after messages and devices: deletes faults, media and tracking, or the faults of one
    /// app.
    package mutating func finishReset(_ app: String?) {
        faults.removeAll { app == nil || $0.match.app == app }
        // Media URLs do not belong to an app. The tracking of a deleted push is deleted with it.
        if app == nil { removeAllMedia() }
        forgetTrackingOfDeletedPushes(everything: app == nil)
        deletions.ofTracking = true
        changes.noteDeletion()
    }
}

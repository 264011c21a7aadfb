internal import Devices
package import PushCore

/// Deleting messages, and resetting the engine.
extension PushEngine {
    /// Whether events or tracking hits were deleted since the log was last saved.
    package struct Deletions {
        package var ofEvents = false
        package var ofTracking = false

        package init() {}
    }

    /// Deletes messages, with everything recorded about them. Returns their number. Judge the expectations first,
    /// because deleted messages no longer count.
    @discardableResult package mutating func deleteMessages(_ gone: Set<PushID>) -> Int {
        updateJournal()
        // Another call may have deleted some of them in the meantime.
        let gone = gone.filter { journal.row(of: $0) != nil }
        forgetMessages(gone)
        expectations.forget(gone)
        if !gone.isEmpty {
            deletions.ofEvents = true
            changes.noteDeletion()
        }
        return gone.count
    }

    /// Deletes these messages, and the devices, faults, media and tracking, or the devices and faults of one app.
    /// Devices with viewers stay, with an empty shade.
    package mutating func reset(_ app: String?, _ messages: Set<PushID>, at now: Timestamp) -> (
        messages: Int, devices: Int
    ) {
        let messages = deleteMessages(messages)
        var deleted = 0
        for slot in devices.slots where devices.isTaken(slot) {
            if let app, devices.app(at: slot) != app, devices[slot].project != app { continue }
            if watches[slot].viewers.isEmpty {
                deleteDevice(slot, at: now)
                deleted += 1
            } else {
                discardNotifications(slot, at: now)
            }
        }
        faults.removeAll { app == nil || $0.match.app == app }
        // Media URLs do not belong to an app. The tracking of a deleted push is deleted with it.
        if app == nil { removeAllMedia() }
        forgetTrackingOfDeletedPushes(everything: app == nil)
        deletions.ofTracking = true
        changes.noteDeletion()
        return (messages, deleted)
    }
}

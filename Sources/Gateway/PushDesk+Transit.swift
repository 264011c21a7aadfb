internal import Devices
internal import HTTPCore
internal import PushCore

/// From an accepted push to the devices it is for.
extension PushDesk {
    /// A push on its way to a device.
    struct Inbound {
        let id: PushID
        let request: Request
        let traits: PushTraits
        let slot: StoredPush.Slot
        /// Milliseconds it has waited.
        var storedFor: Int64 = 0
    }

    /// A broadcast on its way to those who heard its channel when it was accepted.
    struct FanOut {
        let push: Inbound
        var devices: ArraySlice<DeviceID>
    }

    /// A socket that watches a device.
    struct Viewer {
        let connection: ConnectionID
        let wants: Wants
        /// The device is offline without it.
        let isPhone: Bool
    }

    /// What a socket asked to be told.
    struct Wants: OptionSet {
        let rawValue: UInt8
        static let push = Wants(rawValue: 1)
        static let event = Wants(rawValue: 2)
        /// The body as it was sent, within the push.
        static let raw = Wants(rawValue: 4)
    }

    /// Something to tell those who watch a device.
    struct Notice {
        var viewers: ArraySlice<Viewer>
        let event: Event
        /// What was delivered, where it was that.
        let push: Inbound?
    }

    /// Does what the outcome says.
    mutating func settle(_ push: Inbound, _ outcome: APNsOutcome, _ place: Int, at now: Timestamp) {
        append(outcome.kind, place, push: push.id, why: outcome.rule, carrying: outcome.isDelivery ? push : nil, at: now)
        guard outcome.isStorage else { return }
        let stored = StoredPush(id: push.id, request: push.request, traits: push.traits, slot: push.slot, since: now)
        guard let old = devices.store(stored, for: place) else { return }
        let isCollapse = !old.traits.collapseID.isEmpty && old.traits.collapseID == push.traits.collapseID
        append(
            isCollapse ? .collapsed : .dropped, place, push: old.id,
            why: isCollapse ? StorageRule.collapsed.rule : StorageRule.overwritten.rule, detail: .replaced(by: push.id),
            at: now)
    }

    /// To be called after every change of a device: what waited for it may wait no longer.
    mutating func release(_ place: Int, at now: Timestamp) {
        for released in devices.release(place, at: now) {
            let (push, outcome) = (released.push, released.outcome)
            let waited = now.milliseconds - push.since.milliseconds
            let inbound = Inbound(
                id: push.id, request: push.request, traits: push.traits, slot: push.slot, storedFor: waited)
            append(
                outcome.kind, place, push: push.id, why: outcome.rule, detail: .stored(milliseconds: waited),
                carrying: outcome.isDelivery ? inbound : nil, at: now)
        }
    }

    /// Takes broadcasts on to so many more devices.
    mutating func workOffFanOuts(_ count: Int, at now: Timestamp) {
        var left = count
        while left > 0, !fanOuts.isEmpty {
            guard let device = fanOuts[0].devices.popFirst() else {
                fanOuts.removeFirst()
                continue
            }
            left -= 1
            guard let place = devices.place(of: device) else { continue }
            let push = fanOuts[0].push
            let outcome = devices.outcome(of: push.traits, at: place, now)
            if outcome.isStorage, devices.waitingBytes >= waitingCapacity {
                append(.dropped, place, push: push.id, why: StorageRule.full.rule, at: now)
            } else {
                settle(push, outcome, place, at: now)
            }
        }
    }
}

internal import APNs
internal import Devices
internal import FCM
package import HTTPCore
package import PushCore

/// From an accepted push to the devices it is for.
extension PushEngine {
    /// What has come to a device.
    package struct Delivery {
        package let request: Request
        package let rendered: RenderedPush
        /// The message's name; empty for a push over APNs.
        package let name: String
        /// When Google took it.
        package let sent: Timestamp
        /// Milliseconds it has waited.
        package var storedFor: Int64 = 0
    }

    /// A push on its way to many devices: who gets it was fixed when it was accepted.
    package struct FanOut {
        let id: PushID
        let request: Request
        let environment: PushEnvironment
        let content: Content
        /// Nil until the first device gets it.
        var rendered: RenderedPush?
        /// Devices that came later get nothing of it: their places may have been others' then.
        let generation: Int
        var places: ArraySlice<Int32>

        var provider: Provider {
            switch content {
            case .broadcast: .apns
            case .message: .fcm
            case .push(let traits): traits.sender
            }
        }

        enum Content {
            case broadcast(BroadcastDialect.Broadcast)
            case message(FCMDelivery, isForMany: Bool)
            /// To a device's own token.
            case push(PushTraits)
        }
    }

    /// Does what the outcome says.
    mutating func applyOutcome(
        _ outcome: TransitOutcome, of shipment: borrowing Shipment, at place: Int, heldBackUntil end: Timestamp? = nil,
        _ context: borrowing PushContext
    ) {
        let (push, now) = (context.id, context.now)
        var delivery: Delivery?
        if outcome.isDelivery {
            let rendered = rendered(context.request.body, shipment.traits.sender)
            delivery = Delivery(
                request: context.request, rendered: rendered, name: shipment.traits.name, sent: shipment.traits.sent)
        }
        append(DeviceEvent(outcome.kind, push: push, why: outcome.rule), carrying: delivery, place, at: now)
        if let delivery { arrive(push, delivery, shipment.traits.collapseID, place, at: now) }
        if outcome == .fcmInactive { devices.dropInactive(place) }
        guard outcome.isStorage else { return }
        let obstacle =
            shipment.traits.provider == .fcm
            ? devices.obstacle(to: shipment.traits, at: place) ?? end.map(Device.Obstacle.throttled) : nil
        let stored = StoredPush(
            id: push, request: context.request, traits: shipment.traits, slot: shipment.slot, since: now,
            obstacle: obstacle)
        if shipment.traits.provider == .fcm {
            for old in devices.storeGoogle(stored, for: place) {
                append(
                    DeviceEvent(
                        old.outcome.kind, push: old.push.id, why: old.outcome.rule, detail: .replaced(by: push)), place,
                    at: now)
            }
            return
        }
        guard let old = devices.store(stored, for: place) else { return }
        let isCollapse = !old.traits.collapseID.isEmpty && old.traits.collapseID == shipment.traits.collapseID
        append(
            DeviceEvent(
                isCollapse ? .collapsed : .dropped, push: old.id,
                why: isCollapse ? StorageRule.collapsed.rule : StorageRule.overwritten.rule, detail: .replaced(by: push)
            ), place, at: now)
    }

    /// Whether another push may wait. Where there are too many, those that have expired are dropped first; not oftener
    /// than once a second, as that looks at every device.
    mutating func hasRoomForWaiting(at now: Timestamp) -> Bool {
        if devices.waitingBytes >= waitingCapacity, now.seconds != lastPurge {
            lastPurge = now.seconds
            for (place, push) in devices.dropExpired(at: now) {
                append(DeviceEvent(.dropped, push: push.id, why: TransitOutcome.discardedExpired.rule), place, at: now)
            }
        }
        return devices.waitingBytes < waitingCapacity
    }

    /// To be called after every change of a device: what waited for it may wait no longer.
    package mutating func release(_ place: Int, at now: Timestamp) {
        let deleted = devices.takeDeletedMessages(place)
        if deleted > 0 { append(DeviceEvent(.callback, detail: .deleted(deleted)), place, at: now) }
        for released in devices.release(place, at: now) {
            let (push, outcome) = (released.push, released.outcome)
            let waited = max(0, now.milliseconds - push.since.milliseconds)
            var delivery: Delivery?
            if outcome.isDelivery {
                delivery = Delivery(
                    request: push.request, rendered: rendered(push.request.body, push.traits.sender),
                    name: push.traits.name, sent: push.traits.sent, storedFor: waited)
            }
            append(
                DeviceEvent(
                    outcome.kind, push: push.id, why: outcome.rule, detail: .stored(milliseconds: waited)),
                carrying: delivery, place, at: now)
            if let delivery { arrive(push.id, delivery, push.traits.collapseID, place, at: now) }
        }
    }

    /// Takes what goes to many on to so many more devices.
    package mutating func workOffFanOuts(_ count: Int, at now: Timestamp) {
        var left = count
        while left > 0, !fanOuts.isEmpty {
            guard let next = fanOuts[0].places.popFirst() else {
                fanOuts.removeFirst()
                continue
            }
            left -= 1
            let place = Int(next)
            guard devices.existed(place, before: fanOuts[0].generation) else { continue }
            let context = PushContext(
                fanOuts[0].request, id: fanOuts[0].id, in: fanOuts[0].environment, at: now)
            // Other pushes may have come between two slices.
            if let rendered = fanOuts[0].rendered { lastRendered = rendered }
            switch fanOuts[0].content {
            case .broadcast(let broadcast):
                send(Shipment(traits: broadcast.traits, slot: .channel(broadcast.channel)), to: place, context)
            case .message(let message, let isForMany): send(message, isForMany: isForMany, to: place, context)
            case .push(let traits): send(Shipment(traits: traits, slot: .app), to: place, context)
            }
            if fanOuts[0].rendered == nil, lastRendered.isOf(context.request.body, fanOuts[0].provider) {
                fanOuts[0].rendered = lastRendered
            }
        }
    }

    /// What goes to many sets off in the next turn, and what a fault holds back when its time has come.
    mutating func scheduleFanOut(
        _ content: FanOut.Content, to places: [Int32], times: Int, after milliseconds: UInt64,
        _ context: borrowing PushContext
    ) {
        let fanOut = FanOut(
            id: context.id, request: context.request, environment: context.environment, content: content,
            generation: devices.generation, places: places[...])
        for _ in 0..<times {
            if milliseconds == 0 || late.count >= Self.lateLimit {
                fanOuts.append(fanOut)
            } else {
                late.append((context.now + Int64(clamping: milliseconds), fanOut))
            }
        }
    }

    /// Taken out of here within the turn; beyond it nothing is held back any more.
    private static let lateLimit = 100_000

    /// One push to one device; where it would have to wait, and nothing has room for it, it is dropped.
    mutating func send(_ shipment: borrowing Shipment, to place: Int, _ context: borrowing PushContext) {
        var outcome = devices.outcome(of: shipment.traits, at: place, context.now)
        let end = outcome == .fcmDelivered ? heldBack(place, shipment, at: context.now) : nil
        if end != nil { outcome = .fcmPending }
        if outcome.isStorage, !hasRoomForWaiting(at: context.now) {
            append(DeviceEvent(.dropped, push: context.id, why: StorageRule.full.rule), place, at: context.now)
        } else {
            applyOutcome(outcome, of: shipment, at: place, heldBackUntil: end, context)
        }
    }

    /// Until when a message has to wait that could go now: with real quotas those are throttled that replace each other,
    /// but not those that go now or never (documented).
    private mutating func heldBack(_ place: Int, _ shipment: borrowing Shipment, at now: Timestamp) -> Timestamp? {
        guard quotas != nil, case .collapseKey = shipment.slot, shipment.traits.expires != nil,
            let end = quotas?.delay(of: place, at: now)
        else { return nil }
        wakes.append((due: end, device: devices.reference(to: place)))
        return end
    }
}

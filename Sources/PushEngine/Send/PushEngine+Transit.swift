internal import APNs
internal import Devices
internal import FCM
package import HTTPCore
package import PushCore

// Over 200 lines: the whole way from an accepted push to its devices, now or later.

extension PushEngine.Delivery {
    init(_ rendered: RenderedPush, of request: Request, _ traits: PushTraits, storedFor: Int64 = 0) {
        self.init(request: request, rendered: rendered, name: traits.name, sent: traits.sent, storedFor: storedFor)
    }
}

/// How an accepted push gets to its devices.
extension PushEngine {
    /// A push that has arrived at a device.
    package struct Delivery {
        package let request: Request
        package let rendered: RenderedPush
        /// The message's name; empty for a push over APNs.
        package let name: String
        /// When the gateway accepted it.
        package let sent: Timestamp
        /// How long it waited, in milliseconds.
        package let storedFor: Int64
    }

    /// A push on its way to its devices, which were chosen when the push was accepted.
    package struct FanOut {
        let id: PushID
        let request: Request
        let environment: PushEnvironment
        let content: Content
        /// The content for apps; nil until the first device gets the push.
        var rendered: RenderedPush?
        /// Excludes devices that were created later and reuse the slot of a deleted one.
        let generation: Int
        /// The devices that have not had their turn.
        var slots: ArraySlice<Int32>
        /// Nil unless a fault delayed the push.
        var late: Late?

        var provider: Provider {
            switch content {
            case .broadcast: .apns
            case .message: .fcm
            case .push(let traits): traits.sender
            case .webPush: .webpush
            }
        }

        /// Whether it is a message to a topic or a condition.
        var isForTopic: Bool {
            if case .message(_, isForMany: true) = content { return true }
            return false
        }

        enum Content {
            case broadcast(BroadcastDialect.Broadcast)
            case message(FCMDelivery, isForMany: Bool)
            /// A push to a device token.
            case push(PushTraits)
            /// A push to a browser. Everything is in the request.
            case webPush
        }
    }

    /// Delivers, stores or drops a push, as the outcome says, and records it.
    ///
    /// - Parameter end: when a quota lets the push through; nil if no quota delays it.
    mutating func applyOutcome(
        _ outcome: TransitOutcome, of outgoing: borrowing OutgoingPush, at slot: Int,
        throttledUntil end: Timestamp? = nil,
        _ context: borrowing PushContext
    ) {
        let (push, now, kind) = (context.id, context.now, outcome.kind)
        let rendered = kind == .delivered ? rendered(context.request.body, outgoing.traits.sender) : nil
        append(
            DeviceEvent(kind, push: push, why: outcome.rule),
            carrying: rendered.map { Delivery($0, of: context.request, outgoing.traits) }, slot, at: now)
        if let rendered { handleArrival(of: rendered, outgoing.traits, slot, context) }
        if kind != .delivered { noteAbsence(of: push, outgoing.traits, why: outcome.rule, slot) }
        if outcome == .fcmInactive { devices.countInactiveDrop(slot) }
        guard kind == .stored else { return }
        // Expired pushes do not count towards the limits, and are not replaced.
        for old in devices.dropExpired(slot, at: now) { noteExpiry(of: old, slot, at: now) }
        let obstacle =
            outgoing.traits.provider == .fcm
            ? devices.obstacle(to: outgoing.traits, at: slot) ?? end.map(Device.Obstacle.throttled) : nil
        let stored = StoredPush(
            id: push, request: context.request, traits: outgoing.traits, key: outgoing.key, since: now,
            obstacle: obstacle)
        if outgoing.traits.provider == .fcm {
            for old in devices.storeGoogle(stored, for: slot) {
                append(
                    DeviceEvent(
                        old.outcome.kind, push: old.push.id, why: old.outcome.rule), detail: .replaced(by: push), slot,
                    at: now)
                noteAbsence(of: old.push.id, old.push.traits, why: old.outcome.rule, slot)
            }
            return
        }
        guard let old = devices.store(stored, for: slot) else { return }
        let isCollapse = !old.traits.collapseID.isEmpty && old.traits.collapseID == outgoing.traits.collapseID
        let why = (isCollapse ? DropRule.collapsed : .overwritten).rule
        append(
            DeviceEvent(isCollapse ? .collapsed : .dropped, push: old.id, why: why), detail: .replaced(by: push), slot,
            at: now)
        noteAbsence(of: old.id, old.traits, why: why, slot)
    }

    /// Delivers or drops the waiting pushes that a change of the device releases. Call it after every change.
    package mutating func release(_ slot: Int, at now: Timestamp) {
        let deleted = devices.takeDeletedMessages(slot)
        if deleted > 0 { append(DeviceEvent(.callback), detail: .deleted(deleted), slot, at: now) }
        for released in devices.release(slot, at: now) {
            let (push, outcome) = (released.push, released.outcome)
            let waited = max(0, now.milliseconds - push.since.milliseconds)
            let rendered = outcome.isDelivery ? rendered(push.request.body, push.traits.sender) : nil
            append(
                DeviceEvent(
                    outcome.kind, push: push.id, why: outcome.rule), detail: .stored(milliseconds: waited),
                carrying: rendered.map { Delivery($0, of: push.request, push.traits, storedFor: waited) }, slot,
                at: now)
            if let rendered {
                let context = PushContext(push.request, id: push.id, at: now)
                handleArrival(of: rendered, push.traits, slot, context)
            } else {
                noteAbsence(of: push.id, push.traits, why: outcome.rule, slot)
            }
        }
        endForbiddenSubscription(slot, at: now)
    }

    /// Sends pushes from `fanOuts` to at most `count` of their next devices.
    package mutating func continueFanOuts(_ count: Int, at now: Timestamp) {
        var left = count
        while left > 0, !pendingWork.fanOuts.isEmpty {
            guard let next = pendingWork.fanOuts[0].slots.popFirst() else {
                pendingWork.fanOuts.removeFirst()
                continue
            }
            if let late = pendingWork.fanOuts[0].late {
                noteProgress(of: late, isLast: pendingWork.fanOuts[0].slots.isEmpty)
            }
            left -= 1
            let slot = Int(next)
            guard devices.existed(slot, atGeneration: pendingWork.fanOuts[0].generation) else { continue }
            let context = PushContext(
                pendingWork.fanOuts[0].request, id: pendingWork.fanOuts[0].id, in: pendingWork.fanOuts[0].environment,
                at: now)
            // Puts this push's rendering back into the cache, because another push may have been rendered since then.
            if let rendered = pendingWork.fanOuts[0].rendered { caches.lastRendered = rendered }
            switch pendingWork.fanOuts[0].content {
            case .broadcast(let broadcast):
                send(OutgoingPush(traits: broadcast.traits, key: .channel(broadcast.channel)), to: slot, context)
            case .message(let message, let isForMany): send(message, isForMany: isForMany, to: slot, context)
            case .push(let traits):
                send(OutgoingPush(traits: traits, key: StoredPush.Key(for: traits)), to: slot, context)
            case .webPush: deliverWebPush(to: slot, context)
            }
            if pendingWork.fanOuts[0].rendered == nil,
                caches.lastRendered.matches(context.request.body, pendingWork.fanOuts[0].provider)
            {
                pendingWork.fanOuts[0].rendered = caches.lastRendered
            }
        }
    }

    /// Schedules a push to `slots` for the next turn of the loop, or for later if a fault delays it.
    ///
    /// Not inlined, because a caller would then copy the request of every push, even if it schedules nothing.
    @inline(never) mutating func scheduleFanOut(
        _ content: FanOut.Content, to slots: [Int32], times: Int, after milliseconds: UInt64,
        _ context: borrowing PushContext
    ) {
        let fanOut = FanOut(
            id: context.id, request: context.request, environment: context.environment, content: content,
            generation: devices.generation, slots: slots[...])
        for copy in 0..<times {
            if milliseconds == 0 || latePushes.count >= Self.latePushLimit {
                pendingWork.fanOuts.append(fanOut)
            } else {
                hold(fanOut, copy, until: context.now + Int64(clamping: milliseconds))
            }
        }
    }

    /// Sends one push to one device. If it would have to wait and there is no room, it is dropped.
    mutating func send(_ outgoing: borrowing OutgoingPush, to slot: Int, _ context: borrowing PushContext) {
        var outcome = devices.outcome(of: outgoing.traits, at: slot, context.now)
        let end = outcome == .fcmDelivered ? throttleEnd(slot, outgoing, at: context.now) : nil
        if end != nil { outcome = .fcmPending }
        if outcome.isStorage, !hasRoomForWaiting(at: context.now) {
            drop(outgoing.traits, why: .full, slot, context)
        } else {
            applyOutcome(outcome, of: outgoing, at: slot, throttledUntil: end, context)
        }
    }

    /// When a quota lets a deliverable message through; nil if no quota delays it. With real quotas, FCM throttles
    /// collapsible messages, except those with a time to live of 0 (docs/evidence/fcm.md §4, documented).
    private mutating func throttleEnd(_ slot: Int, _ outgoing: borrowing OutgoingPush, at now: Timestamp) -> Timestamp?
    {
        guard quotas != nil, case .collapseKey = outgoing.key, outgoing.traits.expires != nil,
            let end = quotas?.takeCollapsible(for: slot, at: now)
        else { return nil }
        requestWake(of: slot, at: end)
        return end
    }
}

package import Devices
internal import FCM
internal import HTTPCore
internal import JSON
package import PushCore

/// The reactions of simulated phones and browsers.
extension PushEngine {
    /// Makes a device handle a push that has arrived.
    mutating func handleArrival(
        of rendered: RenderedPush, _ traits: PushTraits, _ slot: Int, _ context: borrowing PushContext
    ) {
        let content = rendered.content(for: devices.platform(at: slot))
        if traits.kind == nil, devices.isTracking(slot) {
            let verdict = devices.verdict(on: content, at: slot)
            let key = verdict.broadlog.flatMap { broadlog in
                verdict.delivery.map { TrackingBook.Key(broadlog: broadlog, delivery: $0) }
            }
            tracking.arrived(context.id, key, why: verdict.why)
        }
        var activity: String?
        if traits.kind == nil, content.isActivity { activity = activityType(for: rendered, context.request) }
        let arrival = Arrival(
            push: context.id, content: content, collapseID: traits.collapseID, activity: activity, kind: traits.kind)
        simulate(.push(arrival), slot, at: context.now)
    }

    /// The type of the Live Activity whose token the push was sent to, over APNs or over FCM.
    private func activityType(for rendered: RenderedPush, _ request: Request) -> String? {
        let relayed = rendered.message?.liveActivityToken.flatMap { DeviceToken(hex: $0.utf8Span.span) }
        return (request.deviceToken ?? relayed).flatMap { devices.activity(of: $0) }
    }

    /// Creates and records the token of a new Live Activity. A real app would send this token to its provider.
    private mutating func beginActivity(_ type: String, _ channel: String?, _ slot: Int, at now: Timestamp) {
        let change = devices.makeActivityToken(type, slot, at: now, using: &random)
        if let channel { _ = subscribe(channel, true, slot, at: now) }
        noteTokenChange(change, cause: "liveActivity", of: type, slot, at: now)
    }

    /// Requests a wake-up of a device, unless an earlier one is pending. After each wake-up, the next one is requested.
    /// So the number of pending wake-ups does not grow with the number of pushes.
    mutating func requestWake(of slot: Int, at due: Timestamp) {
        let device = devices.reference(to: slot)
        if let pending = pendingWakes[device], pending <= due { return }
        pendingWakes[device] = due
        pendingWork.wakes.append((due: due, device: device))
    }

    /// Handles a wake-up from `pendingWork.wakes`. If the device has been removed since, this only clears the request.
    package mutating func wake(_ device: DeviceRef, at now: Timestamp) {
        if let pending = pendingWakes[device], pending <= now { pendingWakes[device] = nil }
        guard let slot = devices.slot(of: device) else { return }
        if let receiver = devices[slot].receiver { return dropExpired(of: receiver.token, slot, at: now) }
        release(slot, at: now)
        simulate(.timer, slot, at: now)
        if let next = devices[slot].nextDue(after: now) { requestWake(of: slot, at: next) }
    }

    /// Makes a device handle an input, and applies the effects.
    package mutating func simulate(_ input: DeviceInput, _ slot: Int, at now: Timestamp) {
        var effects = devices.handle(input, at: slot, now)
        effects.reverse()
        while let effect = effects.popLast() {
            switch consume effect {
            case .event(let kind, let push, let why, let detail):
                append(DeviceEvent(kind, push: push, why: why.rule), detail: consume detail, slot, at: now)
            case .fetch(let push, let request): fetch(request, push, slot, at: now)
            case .wake(let due): requestWake(of: slot, at: due)
            case .hit(let hit): collect(hit, slot, at: now)
            case .unreported(let push, let why, let isFinal): tracking.explain(push, why, isFinal: isFinal)
            case .activityBegan(let type, let channel): beginActivity(type, channel, slot, at: now)
            case .activityEnded(let token): if let token { devices.endActivity(token, slot, at: now) }
            }
        }
    }

    /// Simulates what a person does with a notification.
    package mutating func perform(_ act: UserAction, _ slot: Int, at now: Timestamp) throws(DeviceProblem) {
        if let problem = devices.obstacle(to: act, at: slot) { throw problem }
        simulate(.act(act), slot, at: now)
        release(slot, at: now)
    }

    /// Opens the app, and delivers the pushes that waited for it to be opened.
    package mutating func launch(_ slot: Int, at now: Timestamp) {
        simulate(.launch, slot, at: now)
        release(slot, at: now)
    }

    /// Records a tracking hit of a simulated app.
    private mutating func collect(_ hit: TrackingHit, _ slot: Int, at now: Timestamp) {
        if forwardsHits { pendingWork.hits.append(hit) }
        let kept = tracking.record(hit, isSimulated: true, at: now)
        append(
            DeviceEvent(.tracking, push: kept.push, why: PhoneRule.adobeHit.rule), detail: Self.detail(of: kept), slot,
            at: now)
    }

    /// Records a tracking hit that came over HTTP.
    mutating func collect(_ hit: TrackingHit, at now: Timestamp) {
        let kept = tracking.record(hit, isSimulated: false, at: now)
        events.append(
            .tracking, at: now, about: Event.Subject(push: kept.push), why: PhoneRule.adobeHit.rule,
            detail: Self.detail(of: kept))
    }

    private static func detail(of hit: TrackingBook.Hit) -> Event.Detail {
        .fields(
            [
                ("action", .string(hit.action)), ("broadlogId", .string(hit.broadlog)),
                ("deliveryId", .string(hit.delivery)), ("mcId", .string(hit.ecid)),
            ] + hit.flags.map { ($0.rawValue, .bool(true)) })
    }
}

extension Request {
    private static let devicePath = Array("/3/device/".utf8)

    /// The token in the path of an APNs push; nil otherwise.
    fileprivate var deviceToken: DeviceToken? {
        guard path.starts(with: Self.devicePath) else { return nil }
        let digits = path.dropFirst(Self.devicePath.count).prefix { $0 != UInt8(ascii: "?") }
        return DeviceToken(hex: digits.span)
    }
}

package import Devices
internal import FCM
internal import HTTPCore
internal import JSON
package import PushCore

/// What devices do with what reaches them.
extension PushEngine {
    /// A push has come to its device.
    mutating func arrive(_ push: PushID, _ delivery: Delivery, _ collapseID: [UInt8], _ place: Int, at now: Timestamp) {
        let content = delivery.rendered.content(for: devices.platform(at: place))
        if devices.isTracking(place) {
            let verdict = devices.verdict(on: content, at: place)
            let key = verdict.broadlog.flatMap { broadlog in
                verdict.delivery.map { TrackingBook.Key(broadlog: broadlog, delivery: $0) }
            }
            tracking.arrived(push, key, why: verdict.why)
        }
        let activity = content.isActivity ? delivery.request.deviceToken.flatMap { devices.activity(of: $0) } : nil
        simulate(
            .push(Arrival(push: push, content: content, collapseID: collapseID, activity: activity)), place, at: now)
    }

    /// A Live Activity's app tells its token, as it would its provider.
    private mutating func begin(_ type: String, _ channel: String?, _ place: Int, at now: Timestamp) {
        let change = devices.makeActivityToken(type, place, at: now, using: &random)
        if let channel { _ = subscribe(channel, true, place, at: now) }
        noteTokenChange(change, cause: "liveActivity", of: type, place, at: now)
    }

    /// The time has come that a device waited for. Does nothing if the device was removed meanwhile.
    package mutating func wake(_ device: DeviceRef, at now: Timestamp) {
        guard let place = devices.place(of: device) else { return }
        release(place, at: now)
        simulate(.timer, place, at: now)
    }

    /// Lets a device handle something, and does what it wants done.
    package mutating func simulate(_ input: DeviceInput, _ place: Int, at now: Timestamp) {
        var effects = devices.handle(input, at: place, now)
        effects.reverse()
        while let effect = effects.popLast() {
            switch consume effect {
            case .event(let kind, let push, let why, let detail):
                append(DeviceEvent(kind, push: push, why: why.rule, detail: consume detail), place, at: now)
            case .fetch(let push, let url): simulate(.fetched(push, media[url]), place, at: now)
            case .wake(let due): wakes.append((due: due, device: devices.reference(to: place)))
            case .hit(let hit): collect(hit, place, at: now)
            case .activityBegan(let type, let channel): begin(type, channel, place, at: now)
            case .activityEnded(let token): if let token { devices.endActivity(token, place, at: now) }
            }
        }
    }

    /// A person does something with a notification.
    package mutating func perform(_ act: PersonAct, _ place: Int, at now: Timestamp) throws(DeviceProblem) {
        if let problem = devices.obstacle(to: act, at: place) { throw problem }
        simulate(.act(act), place, at: now)
        release(place, at: now)
    }

    /// A person opens the app: what waited for that comes now.
    package mutating func launch(_ place: Int, at now: Timestamp) {
        simulate(.launch, place, at: now)
        release(place, at: now)
    }

    /// A hit of a device's own app goes to the collector by a direct call.
    private mutating func collect(_ hit: TrackingHit, _ place: Int, at now: Timestamp) {
        let kept = tracking.take(hit, isOwn: true, at: now)
        append(
            DeviceEvent(.tracking, push: kept.push, why: PhoneRule.adobeHit.rule, detail: Self.detail(of: kept)), place,
            at: now)
    }

    /// One that came over HTTP.
    mutating func collect(_ hit: TrackingHit, at now: Timestamp) {
        let kept = tracking.take(hit, isOwn: false, at: now)
        events.append(
            .tracking, at: now, app: "", push: kept.push, why: PhoneRule.adobeHit.rule, detail: Self.detail(of: kept))
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

    /// Of a push to a device.
    fileprivate var deviceToken: DeviceToken? {
        guard path.starts(with: Self.devicePath) else { return nil }
        let digits = path.dropFirst(Self.devicePath.count).prefix { $0 != UInt8(ascii: "?") }
        return DeviceToken(hex: digits.span)
    }
}

package import Devices
internal import FCM
internal import HTTPCore
internal import JSON
package import PushCore

/// What devices do with what reaches them.
extension PushEngine {
    /// The push that was read last, for the devices of that platform: who tells many the same sends it again and again.
    struct ContentMemo {
        fileprivate var body: [UInt8] = []
        fileprivate var platform = Device.Platform.ios
        fileprivate var isFromFCM = false
        fileprivate var content: PushContent?
    }

    /// A push has come to its device.
    mutating func arrive(_ push: PushID, _ delivery: Delivery, _ collapseID: [UInt8], _ place: Int, at now: Timestamp) {
        let content = content(of: delivery, for: devices.platform(at: place), at: now)
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

    /// Lets a device handle something, and does what it wants done.
    package mutating func simulate(_ input: DeviceInput, _ place: Int, at now: Timestamp) {
        var effects = devices.handle(input, at: place, now)
        effects.reverse()
        while let effect = effects.popLast() {
            switch consume effect {
            case .event(let kind, let push, let why, let detail):
                append(kind, place, push: push, why: why.rule, detail: consume detail, at: now)
            case .fetch(let push, let url): simulate(.fetched(push, media[url]), place, at: now)
            case .wake(let due): wakes.append((due: due, place: place))
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

    mutating func content(of delivery: Delivery, for platform: Device.Platform, at now: Timestamp) -> PushContent {
        let isFromFCM = !delivery.name.isEmpty
        let body = delivery.request.body
        if let known = contentMemo.content, contentMemo.isFromFCM == isFromFCM, contentMemo.platform == platform,
            body.span.equals(contentMemo.body)
        {
            return known
        }
        let payload = isFromFCM ? googlePayload(delivery, platform, at: now) : body
        let content = PushContent((try? JSONDocument(parsing: payload))?.root, for: platform)
        contentMemo = ContentMemo(body: body, platform: platform, isFromFCM: isFromFCM, content: content)
        return content
    }

    private func googlePayload(_ delivery: Delivery, _ platform: Device.Platform, at now: Timestamp) -> [UInt8] {
        guard
            let message = FCMPayload(
                delivery.request.body, name: delivery.name, sentTime: now.milliseconds, fid: "",
                addsMutableContent: fcm.policy.choices.contains(.mutableContent))
        else { return [] }
        var json = JSONWriter()
        switch platform {
        case .android: message.writeAndroid(app: "", to: &json)
        case .ios: message.writeApple(to: &json)
        case .web: message.writeWeb(to: &json)
        }
        return json.finish()
    }

    /// A hit of a device's own app goes to the collector by a direct call.
    private mutating func collect(_ hit: TrackingHit, _ place: Int, at now: Timestamp) {
        let kept = tracking.take(hit, isOwn: true, at: now)
        append(.tracking, place, push: kept.push, why: PhoneRule.adobeHit.rule, detail: Self.detail(of: kept), at: now)
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

internal import APNs
internal import Devices
internal import HTTPCore
internal import PushCore

/// Where pushes are decided: the registry, the log, the counts and the ids as one value. It does no I/O and reads no
/// clock; being one value, it is entered once a push.
struct PushDesk {
    var events: EventLog
    var devices: DeviceRegistry
    var metrics = Metrics()
    /// The sockets that watch each device, by its place in the registry.
    var viewers: [Int: [ConnectionID]] = [:]
    var random: Random
    private let acceptsUnknownDevices: Bool
    private let apns = APNsDialect()
    private var pushes: UInt64 = 0

    /// What was decided about a push, and what is left to do about it.
    struct Decision {
        let response: Response
        var refusal: APNsReason?
        var delivery: Delivery?
    }

    /// An accepted push that somebody watches.
    struct Delivery {
        let push: PushID
        let app: String
        let device: Int
        let viewers: [ConnectionID]
    }

    init(_ configuration: Configuration, seed: UInt64) {
        events = EventLog(capacity: configuration.logCapacity, byteCapacity: configuration.logByteCapacity)
        devices = DeviceRegistry(capacity: configuration.deviceCapacity)
        random = Random(seed: seed)
        acceptsUnknownDevices = configuration.acceptsUnknownDevices
    }

    mutating func decide(_ request: Request, hasClientCertificate: Bool, at now: Timestamp) -> Decision {
        let headers = apns.answerHeaders(to: request, using: &random)
        switch apns.judge(request, hasClientCertificate: hasClientCertificate) {
        case .refused(let reason, let app): return refuse(request, reason, app, headers, at: now)
        case .accepted(let push):
            guard let place = place(of: push, at: now) else {
                let reason: APNsReason = acceptsUnknownDevices ? .serviceUnavailable : .badDeviceToken
                return refuse(request, reason, push.app, headers, at: now)
            }
            metrics.accepted += 1
            let id = record(.accepted, request, app: push.app, device: devices.id(at: place), status: 200, at: now)
            var decision = Decision(response: Response(status: 200, headers: headers))
            if !viewers.isEmpty, let watching = viewers[place] {
                decision.delivery = Delivery(push: id, app: push.app, device: place, viewers: watching)
            }
            return decision
        }
    }

    /// The fields of an answer that comes before there is a whole request.
    mutating func answerHeaders(to request: Request) -> HeaderBlock { apns.answerHeaders(to: request, using: &random) }

    /// False where every device is watched by somebody, and there are as many as there may be.
    mutating func makeRoomForDevice(at now: Timestamp) -> Bool {
        let (hasRoom, forgotten) = devices.makeRoom { viewers[$0] != nil }
        if let forgotten {
            events.append(
                .unregistered, at: now, app: forgotten.app, device: forgotten.id, why: RuleID("devices.capacity"))
        }
        return hasRoom
    }

    /// Makes the device a client asks for. Nil where there is no room, or the spec says too little.
    mutating func makeDevice(_ spec: DeviceSpec, at now: Timestamp) -> Int? {
        guard makeRoomForDevice(at: now), let place = devices.make(spec, using: &random) else { return nil }
        events.append(.registered, at: now, app: devices[place].app, device: devices.id(at: place))
        return place
    }

    private mutating func place(of push: APNsPush, at now: Timestamp) -> Int? {
        if let known = devices.place(apnsToken: push.token) { return known }
        guard acceptsUnknownDevices, makeRoomForDevice(at: now) else { return nil }
        let place = devices.makeImplicit(apnsToken: push.token, app: push.app)
        events.append(.registered, at: now, app: push.app, device: devices.id(at: place))
        return place
    }

    private mutating func refuse(
        _ request: Request, _ reason: APNsReason, _ app: String, _ headers: HeaderBlock, at now: Timestamp
    ) -> Decision {
        metrics.refused += 1
        record(
            .refused, request, app: app, status: reason.status, reason: reason.rawValue, why: reason.rule, at: now)
        return Decision(response: apns.answer(reason, headers: headers), refusal: reason)
    }

    @discardableResult private mutating func record(
        _ kind: Event.Kind, _ request: Request, app: String, device: DeviceID? = nil, status: Int,
        reason: String? = nil, why: RuleID? = nil, at now: Timestamp
    ) -> PushID {
        pushes += 1
        let id = PushID(pushes)
        let record = PushRecord(
            id: id, provider: .apns, request: events.keep(request), status: status, reason: reason)
        events.append(kind, at: now, app: app, device: device, push: id, why: why, detail: .push(record))
        return id
    }
}

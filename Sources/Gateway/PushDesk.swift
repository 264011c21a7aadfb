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
    private let unregisterRule: UnregisterRule
    private let apns: APNsDialect
    private let broadcasts: BroadcastDialect
    private var channels = ChannelRegistry()
    private let verify: APNsSession.Verifier
    private var pushes: UInt64 = 0
    private static let longestApp = 255

    /// What was decided about a push, and what is left to do about it.
    struct Decision {
        let response: Response
        var refusal: APNsRefusal?
        var findings: [Finding] = []
        var delivery: Delivery?
    }

    /// An accepted push that somebody watches.
    struct Delivery {
        let push: PushID
        let app: String
        let device: Int
        let viewers: [ConnectionID]
    }

    init(_ configuration: Configuration, keyring: Keyring, seed: UInt64) {
        events = EventLog(capacity: configuration.logCapacity, byteCapacity: configuration.logByteCapacity)
        devices = DeviceRegistry(capacity: configuration.deviceCapacity)
        random = Random(seed: seed)
        unregisterRule = configuration.unregisterRule
        var policy = configuration.apns
        policy.keys.merge(keyring.known) { given, _ in given }
        apns = APNsDialect(policy)
        broadcasts = BroadcastDialect(policy)
        verify = keyring.verify
    }

    /// - Parameter isSandbox: the request names a host of Apple's sandbox.
    mutating func decide(
        _ request: Request, isSandbox: Bool, _ session: inout APNsSession, at now: Timestamp
    ) -> Decision {
        let environment = isSandbox ? .sandbox : session.environment
        var draft = APNsDraft(request.headers, in: environment)
        if !draft.hasPath, BroadcastDialect.isIts(request) {
            return broadcast(request, in: environment, &session, at: now)
        }
        let headers = apns.answerHeaders(to: request, in: environment, using: &random)
        if let token = draft.device { draft.binding = devices.binding(of: token, at: now, unregisterRule) }
        if let refusal = apns.refusal(of: request, &draft, &session, at: now, verify: verify) {
            return refuse(request, refusal, draft, headers, at: now)
        }
        guard let place = draft.binding?.place ?? makeImplicit(draft, at: now) else {
            return refuse(request, APNsRefusal(reason: .serviceUnavailable), draft, headers, at: now)
        }
        metrics.accepted += 1
        let app = draft.app
        let id = record(
            .accepted, request, app: app, device: devices.id(at: place), status: 200, findings: draft.findings, at: now)
        var decision = Decision(response: Response(status: 200, headers: headers), findings: draft.findings)
        if draft.binding?.isGone == true {
            devices.losePush(place)
            events.append(
                .dropped, at: now, app: app, device: devices.id(at: place), push: id,
                why: RuleID("apns.discarded-token-unregistered"))
            return decision
        }
        if !viewers.isEmpty, let watching = viewers[place] {
            decision.delivery = Delivery(push: id, app: app, device: place, viewers: watching)
        }
        return decision
    }

    /// The fields of an answer that comes before there is a whole request.
    mutating func answerHeaders(to request: Request, in environment: PushEnvironment) -> HeaderBlock {
        apns.answerHeaders(to: request, in: environment, using: &random)
    }

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
        let environment = apns.policy.environment
        guard makeRoomForDevice(at: now),
            let place = devices.make(spec, in: environment, using: &random)
        else { return nil }
        events.append(.registered, at: now, app: devices[place].app, device: devices.id(at: place))
        return place
    }

    /// A broadcast, or a call about channels.
    private mutating func broadcast(
        _ request: Request, in environment: PushEnvironment, _ session: inout APNsSession, at now: Timestamp
    ) -> Decision {
        let outcome = broadcasts.decide(
            request, in: environment, &session, &channels, at: now, verify: verify, using: &random)
        if let refusal = outcome.refusal {
            metrics.refused += 1
            record(
                .refused, request, app: outcome.app, status: refusal.reason.status, reason: refusal.reason.rawValue,
                why: refusal.rule, findings: outcome.findings, at: now)
        } else if outcome.isBroadcast {
            metrics.accepted += 1
            record(.accepted, request, app: outcome.app, status: 200, findings: outcome.findings, at: now)
        }
        return Decision(response: outcome.response, refusal: outcome.refusal)
    }

    /// The app is taken off a device.
    mutating func uninstall(_ place: Int, at now: Timestamp) {
        devices.uninstall(place, at: now)
        events.append(.unregistered, at: now, app: devices[place].app, device: devices.id(at: place))
    }

    private mutating func makeImplicit(_ draft: APNsDraft, at now: Timestamp) -> Int? {
        guard let token = draft.device, makeRoomForDevice(at: now) else { return nil }
        let place = devices.makeImplicit(apnsToken: token, app: draft.app, environment: draft.environment)
        events.append(.registered, at: now, app: draft.app, device: devices.id(at: place))
        return place
    }

    private mutating func refuse(
        _ request: Request, _ refusal: APNsRefusal, _ draft: APNsDraft, _ headers: HeaderBlock, at now: Timestamp
    ) -> Decision {
        metrics.refused += 1
        record(
            .refused, request, app: draft.app, status: refusal.reason.status, reason: refusal.reason.rawValue,
            why: refusal.rule, findings: draft.findings, at: now)
        return Decision(response: apns.answer(refusal, headers: headers), refusal: refusal)
    }

    @discardableResult private mutating func record(
        _ kind: Event.Kind, _ request: Request, app: String, device: DeviceID? = nil, status: Int,
        reason: String? = nil, why: RuleID? = nil, findings: [Finding] = [], at now: Timestamp
    ) -> PushID {
        pushes += 1
        let id = PushID(pushes)
        // What is no app's name is not kept as one: the log's bound counts requests, not names.
        let app = app.utf8.count <= Self.longestApp ? app : ""
        let record = PushRecord(
            id: id, provider: .apns, request: events.keep(request), status: status, reason: reason,
            findings: findings)
        events.append(kind, at: now, app: app, device: device, push: id, why: why, detail: .push(record))
        return id
    }
}

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
    var viewers: [Int: [Viewer]] = [:]
    /// What they are still to be told.
    var notices: [Notice] = []
    /// Broadcasts that have not reached all of their devices.
    var fanOuts: [FanOut] = []
    var random: Random
    var channels = ChannelRegistry()
    var faults = FaultBook()
    let waitingCapacity: Int
    private let unregisterRule: UnregisterRule
    private(set) var apns: APNsDialect
    private var broadcasts: BroadcastDialect
    private let verify: APNsSession.Verifier
    private var pushes: UInt64 = 0
    private static let longestApp = 255

    /// What was decided about a push.
    struct Decision {
        var response: Response
        var refusal: APNsRefusal?
        var findings: [Finding] = []
        /// What goes wrong on purpose, instead of the answer or beside it.
        var fault: Fault?
    }

    init(_ configuration: Configuration, keyring: Keyring, seed: UInt64) {
        events = EventLog(capacity: configuration.logCapacity, byteCapacity: configuration.logByteCapacity)
        devices = DeviceRegistry(capacity: configuration.deviceCapacity)
        waitingCapacity = configuration.waitingByteCapacity
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
        _ request: Request, isSandbox: Bool, _ session: inout APNsSession, _ memory: inout FaultMemory,
        at now: Timestamp
    ) -> Decision {
        let environment = isSandbox ? .sandbox : session.environment
        var draft = APNsDraft(request.headers, in: environment)
        if !draft.hasPath, BroadcastDialect.isIts(request) {
            return broadcast(request, in: environment, &session, &memory, at: now)
        }
        let ids = apns.mintIDs(for: request, in: environment, using: &random)
        if let token = draft.device { draft.binding = devices.binding(of: token, at: now, unregisterRule) }
        let refusal = apns.refusal(of: request, &draft, &session, at: now, verify: verify)
        if hasFaults(memory), let fault = fault(for: request, draft, refusal, &memory, at: now) {
            if fault.plan.overrides {
                return override(request, fault, draft.app, apns.answerHeaders(to: request, ids), ids, at: now)
            }
            return commit(request, refusal, draft, ids, fault, at: now)
        }
        return commit(request, refusal, draft, ids, nil, at: now)
    }

    /// Does what was decided about a device push.
    private mutating func commit(
        _ request: Request, _ refusal: APNsRefusal?, _ draft: APNsDraft, _ ids: AnswerIDs, _ fault: Fault?,
        at now: Timestamp
    ) -> Decision {
        if let refusal { return refuse(request, refusal, draft, ids, at: now) }
        guard let place = draft.binding?.place ?? makeImplicit(draft, at: now) else {
            return refuse(request, Self.noRoomForDevices, draft, ids, at: now)
        }
        let traits = draft.traits(request.headers, at: now)
        let outcome = devices.outcome(of: traits, at: place, now)
        guard !outcome.isStorage || devices.waitingBytes < waitingCapacity else {
            return refuse(request, Self.noRoomForPushes, draft, ids, at: now)
        }
        metrics.accepted += 1
        let app = draft.app
        let id = record(
            .accepted, request, app: app, device: devices.id(at: place), status: 200,
            why: APNsOutcome.received.rule, findings: draft.findings, ids, at: now)
        let headers = apns.answerHeaders(to: request, ids)
        let inbound = Inbound(id: id, request: request, traits: traits, slot: .app)
        let decision = Decision(response: Response(status: 200, headers: headers), findings: draft.findings)
        guard let fault else {
            settle(inbound, outcome, place, at: now)
            return decision
        }
        let deliveries = fault.plan.deliveries ?? 1
        for _ in 0..<deliveries { settle(inbound, outcome, place, at: now) }
        if deliveries == 0 { append(.dropped, place, push: id, why: fault.rule, at: now) }
        return told(fault, decision, request, headers, push: id, at: now)
    }

    /// What changes of Apple's service while the gateway runs.
    mutating func setPolicy(_ policy: APNsPolicy) {
        apns = APNsDialect(policy)
        broadcasts = BroadcastDialect(policy)
    }

    /// The fields of an answer that comes before there is a whole request.
    mutating func answerHeaders(to request: Request, in environment: PushEnvironment) -> HeaderBlock {
        apns.answerHeaders(to: request, apns.mintIDs(for: request, in: environment, using: &random))
    }

    /// One more event, and what those who watch the device are to be told of it.
    mutating func append(
        _ kind: Event.Kind, _ place: Int, push: PushID? = nil, why: RuleID? = nil, detail: Event.Detail = .none,
        carrying inbound: Inbound? = nil, at now: Timestamp
    ) {
        let seq = events.append(
            kind, at: now, app: devices.app(at: place), device: devices.id(at: place), push: push, why: why,
            detail: detail)
        guard !viewers.isEmpty, let watching = viewers[place], let event = events.event(seq) else { return }
        notices.append(Notice(viewers: watching[...], event: event, push: inbound))
    }

    /// A broadcast, or a call about channels.
    private mutating func broadcast(
        _ request: Request, in environment: PushEnvironment, _ session: inout APNsSession,
        _ memory: inout FaultMemory, at now: Timestamp
    ) -> Decision {
        let outcome = broadcasts.decide(
            request, in: environment, &session, &channels, at: now, verify: verify, using: &random)
        let fault = outcome.isBroadcast && hasFaults(memory) ? fault(for: request, outcome, environment, &memory, at: now) : nil
        if let fault, fault.plan.overrides { return override(request, fault, outcome.app, outcome.ids, outcome.minted, at: now) }
        var decision = Decision(response: outcome.response, refusal: outcome.refusal, findings: outcome.findings)
        if let refusal = outcome.refusal {
            metrics.refused += 1
            record(
                .refused, request, app: outcome.app, status: refusal.reason.status, reason: refusal.reason.rawValue,
                why: refusal.rule, findings: outcome.findings, outcome.minted, at: now)
        } else if let broadcast = outcome.broadcast {
            metrics.accepted += 1
            let id = record(
                .accepted, request, app: outcome.app, status: 200, why: APNsOutcome.received.rule,
                findings: outcome.findings, outcome.minted, at: now)
            let inbound = Inbound(
                id: id, request: request, traits: broadcast.traits, slot: .channel(broadcast.channel))
            for _ in 0..<(fault?.plan.deliveries ?? 1) {
                fanOuts.append(FanOut(push: inbound, devices: broadcast.hearers[...]))
            }
            if let fault { decision = told(fault, decision, request, outcome.ids, push: id, at: now) }
        }
        return decision
    }

    private mutating func makeImplicit(_ draft: APNsDraft, at now: Timestamp) -> Int? {
        guard let token = draft.device, makeRoomForDevice(at: now) else { return nil }
        let place = devices.makeImplicit(apnsToken: token, app: draft.app, environment: draft.environment)
        append(.registered, place, at: now)
        return place
    }

    private mutating func refuse(
        _ request: Request, _ refusal: APNsRefusal, _ draft: APNsDraft, _ ids: AnswerIDs, at now: Timestamp
    ) -> Decision {
        metrics.refused += 1
        record(
            .refused, request, app: draft.app, status: refusal.reason.status, reason: refusal.reason.rawValue,
            why: refusal.rule, findings: draft.findings, ids, at: now)
        return Decision(response: apns.answer(refusal, headers: apns.answerHeaders(to: request, ids)), refusal: refusal, findings: draft.findings)
    }

    @discardableResult mutating func record(
        _ kind: Event.Kind, _ request: Request, app: String, device: DeviceID? = nil, status: Int,
        reason: String? = nil, why: RuleID? = nil, findings: [Finding] = [], _ ids: AnswerIDs, at now: Timestamp
    ) -> PushID {
        pushes += 1
        let id = PushID(pushes)
        // What is no app's name is not kept as one: the log's bound counts requests, not names.
        let app = app.utf8.count <= Self.longestApp ? app : ""
        let record = PushRecord(
            id: id, provider: .apns, request: events.keep(request), status: status, reason: reason,
            findings: findings, answered: ids)
        events.append(kind, at: now, app: app, device: device, push: id, why: why, detail: .push(record))
        return id
    }

    private static let noRoomForDevices = APNsRefusal(
        reason: .serviceUnavailable, cause: "every device is watched, and there is no room for more")
    private static let noRoomForPushes = APNsRefusal(
        reason: .serviceUnavailable, cause: "too many pushes wait for devices that are offline; bring some back")
}

package import APNs
package import Devices
package import FCM
package import HTTPCore
package import PushCore

/// Where pushes are decided: the registry, the log, the counts and the ids as one value. It does no I/O and reads no
/// clock; being one value, it is entered once a push.
package struct PushEngine: ~Copyable {
    package var events: EventLog
    package var journal = Journal()
    /// The newest event when the gateway last looked around.
    var newestSwept: UInt64 = 0
    package var devices: DeviceRegistry
    package var metrics = Metrics()
    /// The sockets that watch each device, and what they have received.
    package var watches = DeviceTable(default: Watch())
    let notifier: any DeviceNotifier
    /// Broadcasts that have not reached all of their devices.
    package var fanOuts: [FanOut] = []
    /// What faults hold back, for whoever keeps the time to take.
    package var late: [(due: Timestamp, fanOut: FanOut)] = []
    package var random: Random
    package var idGenerator: IDGenerator
    var channels = ChannelRegistry()
    package var faults = FaultBook()
    let waitingCapacity: Int
    /// The second in which waiting pushes were last looked through.
    var lastPurge: Int64 = 0
    var memo = PushMemo()
    /// The push that was rendered last.
    var lastRendered = RenderedPush([], .apns, addsMutableContent: false)
    package var tracking = TrackingBook()
    /// What devices get when they fetch a URL.
    package var media: [String: Media] = [:]
    var googleMemo = FCMMemo()
    private let unregisterRule: UnregisterRule
    package private(set) var apns: APNsDialect
    private var broadcasts: BroadcastDialect
    package let fcm: FCMDialect
    let oauth: OAuth
    let verifyAccount: OAuth.Verifier
    package var bearers = BearerBook()
    /// Nil: anybody may send as much as he likes.
    var quotas: FCMQuotas?
    /// Devices for which something is held back, and until when: for whoever keeps the time to take.
    package var wakes: [(due: Timestamp, device: DeviceRef)] = []
    package let verify: APNsSession.Verifier
    let digest: @Sendable ([UInt8]) -> [UInt8]
    var pushes: UInt64 = 0
    /// Those who wait for pushes.
    package var expectations = Expectations()
    /// What was deleted since the log was last saved.
    package var deletions = Deletions()
    static let longestApp = 255

    /// What was decided about a push.
    package struct Decision {
        package var response: Response
        package var refusal: APNsRefusal?
        package var findings: [Finding] = []
        /// What goes wrong on purpose, instead of the answer or beside it.
        package var fault: Fault?
    }

    package init(_ settings: EngineSettings, notifier: any DeviceNotifier) {
        self.notifier = notifier
        events = EventLog(capacity: settings.logCapacity, byteCapacity: settings.logByteCapacity)
        devices = DeviceRegistry(capacity: settings.deviceCapacity)
        waitingCapacity = settings.waitingByteCapacity
        random = Random(seed: settings.seed)
        idGenerator = IDGenerator(using: &random)
        unregisterRule = settings.unregisterRule
        let policy = settings.apns
        apns = APNsDialect(policy)
        broadcasts = BroadcastDialect(policy)
        verify = settings.verifyProviderToken
        let google = FCMPolicy(
            asksForCredentials: policy.auth != .off, asksForKnownBearers: policy.auth == .strict,
            isStrict: policy.validation == .strict, acceptsUnknownDevices: policy.acceptsUnknownDevices,
            choices: settings.fcmChoices)
        fcm = FCMDialect(google)
        oauth = OAuth(google)
        quotas = settings.hasQuotas ? FCMQuotas() : nil
        verifyAccount = settings.verifyServiceAccount
        digest = settings.digest
    }

    /// - Parameter isSandbox: the request names a host of Apple's sandbox.
    package mutating func decide(
        _ request: Request, isSandbox: Bool, _ session: inout APNsSession, _ memory: inout FaultMemory,
        at now: Timestamp
    ) -> Decision {
        let environment = isSandbox ? .sandbox : session.environment
        let push = takeNumber()
        var draft = APNsDraft(request.headers, in: environment)
        if !draft.hasPath, BroadcastDialect.handles(request) {
            return broadcast(request, push, in: environment, &session, &memory, at: now)
        }
        if let token = draft.device { draft.binding = binding(of: token, at: now) }
        let refusal = apns.refusal(of: request, &draft, &session, &memo, at: now, verify: verify)
        guard hasFaults(memory), let fault = fault(for: request, draft, refusal, &memory, at: now) else {
            return commit(request, push, refusal, draft, at: now)
        }
        if fault.plan.overrides {
            let headers = answerHeaders(to: request, draft, push)
            return override(request, push, fault, draft.app(request.headers), headers, environment, at: now)
        }
        return applyingFault(
            fault, commit(request, push, refusal, draft, fault.plan, at: now), draft.app(request.headers), push, at: now
        )
    }

    package func binding(of token: DeviceToken, at now: Timestamp) -> TokenBinding? {
        devices.binding(of: token, at: now, unregisterRule)
    }

    /// Does what was decided about a device push.
    private mutating func commit(
        _ request: Request, _ push: PushID, _ refusal: APNsRefusal?, _ draft: APNsDraft,
        _ plan: FaultPlan? = nil, at now: Timestamp
    ) -> Decision {
        if let refusal { return refuse(request, push, refusal, draft, at: now) }
        guard let place = draft.binding?.place ?? makeImplicit(draft, at: now) else {
            return refuse(request, push, Self.noRoomForDevices, draft, at: now)
        }
        let traits = draft.traits(request.headers, at: now)
        let outcome = devices.outcome(of: traits, at: place, now)
        guard !outcome.isStorage || hasRoomForWaiting(at: now) else {
            return refuse(request, push, Self.noRoomForPushes, draft, at: now)
        }
        metrics.accepted += 1
        let headers = answerHeaders(to: request, draft, push)
        let app = draft.app
        record(
            .accepted, request, push, app: app, device: devices.id(at: place), status: plan?.answer?.status ?? 200,
            reason: plan?.answer?.reason, why: TransitOutcome.received.rule, findings: draft.findings,
            draft.environment, at: now)
        if outcome == .discardedUnregistered { devices.losePush(place) }
        // Two copies are two deliveries; one at most waits.
        let times = outcome.isDelivery ? plan?.deliveries ?? 1 : min(plan?.deliveries ?? 1, 1)
        if let plan, plan.lateness > 0 {
            scheduleFanOut(push, request, .push(traits), for: plan.lateness, times: times, to: [Int32(place)], at: now)
        } else {
            for _ in 0..<times { applyOutcome(push, request, traits, .app, outcome, place, at: now) }
        }
        return Decision(response: Response(status: 200, headers: headers), findings: draft.findings)
    }

    /// Whether something waits to be scheduled or passed on.
    package var hasWork: Bool { !wakes.isEmpty || !late.isEmpty || !fanOuts.isEmpty }

    /// What changes of Apple's service while the gateway runs.
    package mutating func setPolicy(_ policy: APNsPolicy) {
        apns = APNsDialect(policy)
        broadcasts = BroadcastDialect(policy)
    }

    /// The fields of an answer that comes before there is a whole request.
    package mutating func answerHeaders(to request: Request, in environment: PushEnvironment) -> HeaderBlock {
        apns.answerHeaders(ownID: request.headers.first(.apnsID), takeNumber(), in: environment, idGenerator)
    }

    private func answerHeaders(to request: Request, _ draft: APNsDraft, _ push: PushID) -> HeaderBlock {
        let ownID = draft.ownID.map { request.headers.storage[$0] }
        return apns.answerHeaders(ownID: ownID, push, in: draft.environment, idGenerator)
    }

    /// Every request has one, whether it is a push or not: the ids of its answer come from it.
    mutating func takeNumber() -> PushID {
        pushes += 1
        return PushID(pushes)
    }

    /// One more event, and what those who watch the device are to be told of it.
    package mutating func append(
        _ kind: Event.Kind, _ place: Int, push: PushID? = nil, why: consuming RuleID? = nil,
        detail: consuming Event.Detail = .none,
        carrying delivery: Delivery? = nil, at now: Timestamp
    ) {
        let event = events.next(
            kind, at: now, app: devices.app(at: place), device: devices.id(at: place), push: push, why: why,
            detail: detail)
        let viewers = watches[place].viewers
        if !viewers.isEmpty { notifyViewers(event, delivery, to: viewers, place) }
        events.append(consume event)
    }

    /// A broadcast, or a call about channels.
    private mutating func broadcast(
        _ request: Request, _ push: PushID, in environment: PushEnvironment, _ session: inout APNsSession,
        _ memory: inout FaultMemory, at now: Timestamp
    ) -> Decision {
        // What a fault decides changes no channel.
        let before = hasFaults(memory) ? channels : nil
        let outcome = broadcasts.decide(
            request, in: environment, &session, &channels, at: now, verify: verify, push, idGenerator, using: &random)
        let fault = hasFaults(memory) ? fault(for: request, outcome, environment, &memory, at: now) : nil
        if fault?.plan.overrides == true, let before { channels = before }
        if let fault, fault.plan.overrides {
            return override(request, push, fault, outcome.app, outcome.ids, environment, at: now)
        }
        var decision = Decision(response: outcome.response, refusal: outcome.refusal, findings: outcome.findings)
        if let refusal = outcome.refusal {
            metrics.refused += 1
            record(
                .refused, request, push, app: outcome.app, status: refusal.reason.status,
                reason: refusal.reason.word,
                why: refusal.rule, findings: outcome.findings, environment, at: now)
        } else if let broadcast = outcome.broadcast {
            metrics.accepted += 1
            record(
                .accepted, request, push, app: outcome.app, status: 200, why: TransitOutcome.received.rule,
                findings: outcome.findings, environment, at: now)
            let places = broadcast.subscribers.compactMap { devices.place(of: $0).map(Int32.init) }
            scheduleFanOut(
                push, request, .broadcast(broadcast), for: fault?.plan.lateness ?? 0,
                times: min(fault?.plan.deliveries ?? 1, 2), to: places, at: now)
        }
        if let fault { decision = applyingFault(fault, decision, outcome.app, push, at: now) }
        return decision
    }

    private mutating func makeImplicit(_ draft: APNsDraft, at now: Timestamp) -> Int? {
        guard let token = draft.device, makeRoomForImplicitDevice(at: now) else { return nil }
        let place = devices.makeImplicit(apnsToken: token, app: draft.app, environment: draft.environment)
        appeared(place, at: now)
        return place
    }

    private mutating func refuse(
        _ request: Request, _ push: PushID, _ refusal: APNsRefusal, _ draft: APNsDraft, at now: Timestamp
    ) -> Decision {
        metrics.refused += 1
        let headers = answerHeaders(to: request, draft, push)
        record(
            .refused, request, push, app: draft.app(request.headers), status: refusal.reason.status,
            reason: refusal.reason.word,
            why: refusal.rule, findings: draft.findings, draft.environment, at: now)
        return Decision(response: apns.answer(refusal, headers: headers), refusal: refusal, findings: draft.findings)
    }

    mutating func record(
        _ kind: Event.Kind, _ request: Request, _ push: PushID, by provider: Provider = .apns, name: String = "",
        app: consuming String,
        device: consuming DeviceID? = nil, status: Int, reason: consuming String? = nil, why: consuming RuleID? = nil,
        findings: consuming [Finding] = [],
        _ environment: PushEnvironment, at now: Timestamp
    ) {
        // What is no app's name is not kept as one: the log's bound counts requests, not names.
        if app.utf8.count > Self.longestApp { app = "" }
        let kept = events.keep(request)
        let record = PushRecord(
            id: push, provider: provider, name: name, request: kept, status: status, reason: reason,
            findings: findings, environment: environment)
        events.append(
            kind, at: now, app: app, device: device, push: push, why: why, detail: .push(record), keeping: kept)
    }

    private static let noRoomForDevices = APNsRefusal(
        reason: .serviceUnavailable, cause: "every device is watched, and there is no room for more")
    private static let noRoomForPushes = APNsRefusal(
        reason: .serviceUnavailable, cause: "too many pushes wait for devices that are offline; bring some back")
}

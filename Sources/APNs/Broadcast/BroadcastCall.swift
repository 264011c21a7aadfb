internal import HTTPCore
internal import JSON
internal import PushCore

/// One call to the broadcast or channel API, with the checks of docs/evidence/apns.md §7.
struct BroadcastCall {
    let request: Request
    let environment: PushEnvironment
    private let found: (route: BroadcastRoute, app: String)?
    var findings: [Finding] = []
    private(set) var broadcast: BroadcastDialect.Broadcast?
    /// The channel that the call has created or deleted.
    private(set) var changedChannel: ChannelRegistry.Key?

    init(_ request: Request, in environment: PushEnvironment) {
        self.request = request
        self.environment = environment
        found = BroadcastRoute.find(request.method, String(decoding: request.path, as: UTF8.self))
    }

    var route: BroadcastRoute? { found?.route }
    var app: String { found?.app ?? "" }

    /// The `apns-request-id` that the client sent; nil if it is absent or not a UUID.
    var requestID: String? {
        guard let range = request.headers.range(of: .apnsRequestID),
            APNsSyntax.isIdentifier(request.headers.storage.span.extracting(range))
        else { return nil }
        return field(.apnsRequestID)
    }

    /// Checks the method, the path, the provider, and whether the provider may act for this app. This must be called
    /// before `perform`.
    func authorize(
        _ session: inout APNsSession, _ policy: APNsPolicy, at now: Timestamp, _ verify: APNsSession.Verifier
    ) throws(APNsRefusal) {
        if ![.post, .get, .delete].contains(request.method) { throw APNsRefusal(reason: .methodNotAllowed) }
        guard found != nil else { throw APNsRefusal(reason: .badPath) }
        if let certificate = session.certificate {
            if !certificate.allows(app) { throw APNsRefusal(reason: .topicMismatch) }
        } else if policy.auth != .off {
            let draft = APNsDraft(request.headers, in: environment)
            let block = request.headers.storage.span
            guard let token = draft.providerToken(block) else { throw APNsRefusal(reason: .missingProviderToken) }
            let reason = session.refusal(of: block.extracting(token), in: environment, at: now, policy, verify)
            if let reason { throw APNsRefusal(reason: reason, cause: session.cause) }
            if session.key?.topics?.contains(app) == false { throw APNsRefusal(reason: .topicMismatch) }
        }
        if request.headers.range(of: .apnsRequestID) != nil, requestID == nil {
            throw APNsRefusal(reason: .badMessageID)
        }
        let topic = APNsTopic(Array(app.utf8).span)
        if topic.kind != nil || !APNsTopic.isWellFormed(Array(app.utf8).span) {
            let cause = topic.kind.map { kind in
                "the path has the topic \(app), but a broadcast needs the bundle id \(topic.app), without \(kind.suffix)"
            }
            throw APNsRefusal(reason: .topicDisallowed, cause: cause)
        }
    }

    mutating func perform(
        _ channels: inout ChannelRegistry, _ policy: APNsPolicy, at now: Timestamp, using generator: inout Random
    ) throws(APNsRefusal) -> Response {
        switch route {
        case nil: throw APNsRefusal(reason: .badPath)
        case .list:
            return json { json in
                json.key("channels")
                json.array { json in for id in channels.ids(of: app, in: environment) { json.value(id) } }
            }
        case .create:
            let storagePolicy = try readCreation()
            guard let id = channels.make(for: app, in: environment, storagePolicy: storagePolicy, using: &generator)
            else { throw APNsRefusal(reason: .cannotCreateChannelConfig) }
            changedChannel = ChannelRegistry.Key(id, of: app, in: environment)
            return Response(status: 201, headers: HeaderBlock([.apnsChannelID: id]))
        case .read:
            let channel = channels.channel(try channelID(), of: app, in: environment)
            guard let channel, !channel.isDeleted else {
                throw APNsRefusal(reason: policy.choices.contains(.unknownChannel) ? .badPath : .channelNotRegistered)
            }
            return json { json in
                json.member("message-storage-policy", channel.storagePolicy)
                json.member("push-type", "LiveActivity")
            }
        case .delete:
            // Deleting an unknown channel gives BadPath (§7, observed).
            let id = try channelID()
            guard channels.delete(id, of: app, in: environment) else { throw APNsRefusal(reason: .badPath) }
            changedChannel = ChannelRegistry.Key(id, of: app, in: environment)
            return Response(status: 204)
        case .broadcast:
            try readBroadcast(channels, policy, at: now)
            return Response(status: 200)
        }
    }

    /// Reads the body of a new channel (§7.1) and returns its storage policy. The push type is case-insensitive.
    private func readCreation() throws(APNsRefusal) -> Int {
        try checkBody()
        guard let root = try? JSONDocument(parsing: request.body).root, root.kind == .object else {
            throw APNsRefusal(reason: .badRequestPayload)
        }
        for (key, _) in root.members where !key.equals("message-storage-policy") && !key.equals("push-type") {
            throw APNsRefusal(reason: .badRequestParams)
        }
        guard let policy = root["message-storage-policy"]?.exactInteger, 0...1 ~= policy else {
            throw APNsRefusal(reason: .missingChannelQueueSize)
        }
        guard let type = root["push-type"] else { throw APNsRefusal(reason: .missingPushType) }
        guard type.string?.lowercased() == "liveactivity" else { throw APNsRefusal(reason: .invalidPushType) }
        return Int(policy)
    }

    private mutating func readBroadcast(
        _ channels: ChannelRegistry, _ policy: APNsPolicy, at now: Timestamp
    ) throws(APNsRefusal) {
        let id = try channelID()
        guard let channel = channels.channel(id, of: app, in: environment) else {
            throw APNsRefusal(reason: .badChannelID)
        }
        if channel.isDeleted { throw APNsRefusal(reason: .channelNotRegistered) }
        guard let type = field(.apnsPushType) else { throw APNsRefusal(reason: .missingPushType) }
        guard type.lowercased() == "liveactivity" else { throw APNsRefusal(reason: .invalidPushType) }
        // The expiration is required, and must be 0 for a channel that stores nothing (§7.2: observed, documented).
        let headers = request.headers
        let block = headers.storage.span
        let expiration = headers.range(of: APNsField.expiration.name).flatMap {
            APNsSyntax.seconds(block.extracting($0))
        }
        guard let expiration, expiration == 0 || channel.storagePolicy == 1 else {
            throw APNsRefusal(reason: .badExpirationDate)
        }
        let place = headers.range(of: APNsField.priority.name)
        guard let priority = place.map({ APNsSyntax.priority(block.extracting($0)) }) ?? 10 else {
            throw APNsRefusal(reason: .badPriority)
        }
        try checkBody()
        let check = PayloadCheck(request.body, kind: .liveactivity, priority: 10, isBroadcast: true)
        if let mistake = ExpirationMistake(expiration, at: now) { findings.append(mistake.finding(expiration)) }
        findings += check.findings
        if policy.validation == .strict, let refusal = check.refusal {
            throw APNsRefusal(reason: .invalidPayload, detail: refusal)
        }
        let expires = APNsDraft.expires(expiration, longest: APNsDraft.maxBroadcastLifetime, at: now)
        broadcast = BroadcastDialect.Broadcast(
            channel: id, subscribers: channel.subscribers,
            traits: PushTraits(sent: now, priority: priority, expires: expires, onlyShowsNotification: false))
    }

    private func checkBody() throws(APNsRefusal) {
        if request.bodyIsOverLimit { throw APNsRefusal(reason: .payloadTooLarge) }
        if request.body.isEmpty { throw APNsRefusal(reason: .payloadEmpty) }
    }

    private func channelID() throws(APNsRefusal) -> String {
        guard let id = field(.apnsChannelID), !id.isEmpty else { throw APNsRefusal(reason: .missingChannelID) }
        guard ChannelRegistry.isID(id) else { throw APNsRefusal(reason: .badChannelID) }
        return id
    }

    private func field(_ name: HeaderName) -> String? {
        request.headers.first(name).map { String(decoding: $0, as: UTF8.self) }
    }

    private func json(_ body: (inout JSONWriter) -> Void) -> Response {
        var json = JSONWriter()
        json.object(body)
        return Response(status: 200, body: .bytes(json.finish()))
    }
}

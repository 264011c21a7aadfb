package import HTTPCore
internal import JSON
package import PushCore

/// Google's send API: decides what to answer to a request and what to deliver.
package struct FCMDialect: Sendable {
    package let policy: FCMPolicy

    /// The maximum length in bytes of a request body on Google's paths.
    package static let bodyLimit = 1 << 20

    package init(_ policy: FCMPolicy) { self.policy = policy }

    /// The decision about a message.
    package struct Outcome: ~Copyable {
        package var answer = GoogleAnswer(response: Response(status: 200))
        package var target: FCMTarget?
        /// FCM's error code, or the name of the status if there is no such code; nil if the message was accepted.
        package fileprivate(set) var reason: String?
        /// The registration of the target device, if it exists already.
        package fileprivate(set) var registration: FCMRegistration?
        /// The device that a refused message is for, and the platform that is assumed if it is unknown.
        fileprivate var addressee: (id: String, assumed: FCMRegistration.Platform)?
        /// How to deliver the message; nil for a dry run and for a refused message.
        package var delivery: FCMDelivery?
        /// The id in the answer to an accepted dry run; empty for other messages.
        package fileprivate(set) var dryRunID = ""

        init() {}

        /// Returns the answer, once the decision has been carried out.
        package consuming func takeAnswer() -> GoogleAnswer { answer }

        /// Turns an acceptance into a refusal because of a quota.
        ///
        /// - Parameter because: which quota it is and how long to wait, for the log.
        package mutating func refuse(
            _ quota: ExceededQuota, because: String?, to call: Call, _ policy: FCMPolicy
        ) {
            var answer = quota.answer(to: call, policy)
            answer.because = because ?? answer.because
            refuse(answer, reason: policy.code(of: quota.error))
        }

        /// Turns an acceptance into a refusal.
        mutating func refuse(_ answer: consuming GoogleAnswer, reason: String) {
            self.answer = answer
            self.reason = reason
            delivery = nil
            dryRunID = ""
        }
    }

    /// Finds a registration by its token or installation id. `package` is the only app package that may receive the
    /// message; nil if every package may receive it.
    package typealias Lookup = (_ token: String, _ package: String?) -> FCMRegistration?

    package func decide(
        _ call: Call, _ bearers: BearerBook, _ memo: inout FCMRequestCache,
        known: Lookup, using generator: inout Random
    ) -> Outcome {
        var outcome = Outcome()
        let (request, query, project, now) = (call.request, call.query, call.project, call.now)
        do throws(GoogleError) {
            let parsed = try parse(call, bearers, &outcome, &memo)
            outcome.target = parsed.target
            outcome.registration = try registration(for: parsed, project, known)
            let platform = outcome.registration?.platform ?? (parsed.traits.isForApple ? .apple : .android)
            if parsed.traits.lacksMutableContent, !parsed.target.isSingle || platform == .apple {
                outcome.answer.findings.append(Self.imageWithoutMutableContent)
            }
            if parsed.traits.isUrgentData, parsed.target.isSingle, platform == .apple {
                throw .dataPriority
            }
            let name = MessageName.make(for: parsed, platform, at: now, using: &generator)
            if parsed.isDryRun {
                outcome.dryRunID = name
            } else {
                outcome.delivery = FCMDelivery(parsed.traits, name: name, at: now)
            }
            outcome.answer.response =
                query.isEmpty
                ? GoogleAnswer.framed(200, memo.success(project: project, name: name))
                : query.answer { $0.member("name", "projects/\(project)/messages/\(name)") }
        } catch {
            let findings = outcome.answer.findings
            let platform = outcome.addressee.map { known($0.id, nil)?.platform ?? $0.assumed }
            outcome.answer = policy.answer(error, for: platform, to: request, query, project: project)
            outcome.answer.findings = findings
            if let finding = error.finding { outcome.answer.findings.append(finding) }
            outcome.reason = policy.code(of: error, for: platform)
        }
        return outcome
    }

    /// One call to `messages:send`.
    package struct Call {
        let request: Request
        let query: GoogleQuery
        let project: String
        let now: Timestamp

        package init(_ request: Request, project: String, at now: Timestamp) {
            self.request = request
            query = GoogleQuery(request)
            self.project = project
            self.now = now
        }
    }

    /// Checks the query's formats, credentials, conversion, permission, validation and target, in this order
    /// (docs/evidence/fcm.md §1.6, derived).
    private func parse(
        _ call: Call, _ bearers: BearerBook, _ outcome: inout Outcome, _ memo: inout FCMRequestCache
    ) throws(GoogleError) -> ParsedMessage {
        let (request, project) = (call.request, call.project)
        try call.query.checkFormats()
        let sender = try FCMCredentials.sender(of: call, policy, bearers, &memo)
        if let finding = sender.finding { outcome.answer.findings = [finding] }
        if request.bodyIsOverLimit { throw .tooLarge }
        try call.query.check(answer: .message(.message))
        try GoogleBody.refuseForm(request)
        if let known = memo.message(of: request.body) {
            try FCMCredentials.authorize(sender, policy, project, "cloudmessaging.messages.create")
            if !known.findings.isEmpty { outcome.answer.findings += known.findings }
            return known
        }
        guard !request.body.isEmpty else { throw .noTarget }
        let document = try GoogleBody.parse(request)
        let check = ProtoCheck(document, as: .sendMessageRequest)
        guard let root = check.view else {
            outcome.answer.findings += LegacyMessage.findings(in: document) + check.suggestions
            throw .conversion(check.violations)
        }
        try FCMCredentials.authorize(sender, policy, project, "cloudmessaging.messages.create")
        guard let message = root.message(.message) else { throw .noTarget }
        // A magic token takes precedence over all other errors in the message.
        if let token = message.string(.token), let error = FCMMagicToken.error(token) {
            outcome.target = .token(token)
            outcome.answer.findings.append(.magicToken(FCMMagicToken.beginning(of: token), at: "/message/token"))
            throw error
        }
        var validation = FCMValidation(message, policy)
        defer { outcome.answer.findings += validation.findings }
        let target: FCMTarget
        do throws(GoogleError) { target = try validation.check() } catch {
            if let id = validation.target?.single {
                outcome.addressee = (id, FCMTraits.isForApple(message) ? .apple : .android)
            }
            throw error
        }
        outcome.target = target
        let isDryRun = root[.validateOnly].flatMap(ProtoScalar.bool) ?? false
        let parsed = ParsedMessage(message, to: target, isDryRun: isDryRun, findings: validation.findings)
        memo.keep(parsed, of: request.body)
        return parsed
    }

    private static let imageWithoutMutableContent = Finding(
        "fcm.image-without-mutable-content", .warning, at: "/message/notification/image",
        "An iPhone shows this notification without its image: set 'mutable-content' to 1 in 'apns.payload.aps'.")

    /// The registration of a single target. Nil for a topic or a condition, and for an unknown device that the gateway
    /// is going to create.
    private func registration(
        for message: ParsedMessage, _ project: String, _ known: Lookup
    ) throws(GoogleError) -> FCMRegistration? {
        if let token = message.target.single, let registration = known(token, message.traits.restrictedPackage) {
            if registration.isUnregistered { throw .unregistered }
            if let owner = registration.project, owner != project { throw .senderMismatch(owner, project) }
            if registration.isOtherPackage { throw .otherPackage(message.traits.restrictedPackage ?? "") }
            return registration
        }
        switch message.target {
        case .token(let token):
            guard FCMSyntax.isToken(token) || FCMSyntax.isInstallationID(token) else { throw .malformed(token) }
            if !policy.acceptsUnknownDevices { throw .unknownToken }
        case .fid(let fid):
            guard FCMSyntax.isInstallationID(fid) else { throw .unregistered }
            if !policy.acceptsUnknownDevices { throw .unknownToken }
        case .topic, .condition: break
        }
        return nil
    }
}

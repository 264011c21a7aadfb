package import HTTPCore
internal import JSON
package import PushCore

/// Google's send API: requests in, verdicts and answers out.
package struct FCMDialect: Sendable {
    package let policy: FCMPolicy

    /// The longest body of any Google path.
    package static let bodyLimit = 1 << 20

    package init(_ policy: FCMPolicy) { self.policy = policy }

    /// What was decided about a message.
    package struct Outcome: ~Copyable {
        package var answer = GoogleAnswer(response: Response(status: 200))
        package var target: FCMTarget?
        /// FCM's own word for the refusal, else the status's name; nil: accepted.
        package fileprivate(set) var reason: String?
        /// Of the device that it is for, where that is there already.
        package fileprivate(set) var registration: FCMRegistration?
        /// How it gets to devices; nil for a dry run and for what was refused.
        package fileprivate(set) var delivery: FCMDelivery?

        init() {}

        /// Ends it: what was decided has been done.
        package consuming func takeAnswer() -> GoogleAnswer { answer }

        package mutating func refuse(_ answer: consuming GoogleAnswer) {
            self.answer = answer
            reason = GoogleError.tooMuch
            delivery = nil
        }
    }

    /// - Parameter known: what is registered by a token or an installation's id.
    package func decide(
        _ request: Request, project: String, at now: Timestamp, bearers: BearerBook, _ memo: inout FCMMemo,
        known: (String) -> FCMRegistration?, using generator: inout Random
    ) -> Outcome {
        var outcome = Outcome()
        let query = GoogleQuery(request)
        do throws(GoogleError) {
            let reading = try read(request, query, project, &outcome, bearers, &memo, at: now)
            outcome.target = reading.target
            outcome.registration = try registration(of: reading.target, project, known)
            let platform = outcome.registration?.platform ?? (reading.traits.isForApple ? .apple : .android)
            if reading.traits.lacksMutableContent, !reading.target.isSingle || platform == .apple {
                outcome.answer.findings.append(Self.imageWithoutMutableContent)
            }
            let name = MessageName.make(
                for: reading.target, platform, reading.traits, isDryRun: reading.isDryRun, at: now, using: &generator)
            if !reading.isDryRun { outcome.delivery = FCMDelivery(reading.traits, name: name, at: now) }
            outcome.answer.response =
                query.isPretty
                ? GoogleAnswer.framed(200, memo.success(project: project, name: name))
                : GoogleAnswer.response(
                    200, { $0.member("name", "projects/\(project)/messages/\(name)") }, isPretty: false)
        } catch {
            let findings = outcome.answer.findings
            outcome.answer = GoogleAnswer(error, to: request, query)
            outcome.answer.findings = findings
            outcome.reason = error.word
        }
        return outcome
    }

    /// Path, credentials, conversion, permission, validation, target: in this order (facts/fcm.md §1.6, derived).
    private func read(
        _ request: Request, _ query: GoogleQuery, _ project: String, _ outcome: inout Outcome, _ bearers: BearerBook,
        _ memo: inout FCMMemo, at now: Timestamp
    ) throws(GoogleError) -> FCMReading {
        let sender = try FCMCredentials.sender(of: request, query, policy, bearers, &memo, at: now)
        if let finding = sender.finding { outcome.answer.findings = [finding] }
        if request.bodyIsOverLimit { throw .tooLarge }
        try query.check()
        try GoogleBody.refuseForm(request)
        if let known = memo.reading(of: request.body) {
            try FCMCredentials.authorize(sender, policy, project, "cloudmessaging.messages.create")
            if !known.findings.isEmpty { outcome.answer.findings += known.findings }
            return known
        }
        guard !request.body.isEmpty else { throw .noTarget }
        let document = try GoogleBody.parse(request)
        let check = ProtoCheck(document, as: .sendMessageRequest)
        guard let root = check.view else {
            outcome.answer.findings += LegacyMessage.findings(in: document)
            throw .conversion(check.violations)
        }
        try FCMCredentials.authorize(sender, policy, project, "cloudmessaging.messages.create")
        guard let message = root.message(.message) else { throw .noTarget }
        // Magic tokens come before everything else that could be wrong.
        if let token = message.string(.token), let error = FCMMagicToken.error(token) {
            outcome.target = .token(token)
            throw error
        }
        var validation = FCMValidation(message, policy)
        defer { outcome.answer.findings += validation.findings }
        let target = try validation.check()
        outcome.target = target
        let isDryRun = root[.validateOnly].flatMap(ProtoScalar.bool) ?? false
        let reading = FCMReading(target, isDryRun: isDryRun, findings: validation.findings, traits: FCMTraits(message))
        memo.keep(reading, of: request.body)
        return reading
    }

    private static let imageWithoutMutableContent = Finding(
        "fcm.image-without-mutable-content", .warning, at: "/message/notification/image",
        "An iPhone shows this without its image: for that 'mutable-content' has to be 1 in 'apns.payload.aps'.")

    /// Nil for many, and for a device that is still to appear.
    private func registration(
        of target: FCMTarget, _ project: String, _ known: (String) -> FCMRegistration?
    ) throws(GoogleError) -> FCMRegistration? {
        if let token = target.single, let registration = known(token) {
            if registration.isGone { throw .unregistered }
            if let own = registration.project, own != project { throw .senderMismatch }
            return registration
        }
        switch target {
        case .token(let token):
            guard FCMSyntax.isToken(token) || FCMSyntax.isInstallationID(token) else { throw .badToken }
            if !policy.acceptsUnknownDevices { throw .unregistered }
        case .fid(let fid):
            guard FCMSyntax.isInstallationID(fid), policy.acceptsUnknownDevices else { throw .unregistered }
        case .topic, .condition: break
        }
        return nil
    }
}

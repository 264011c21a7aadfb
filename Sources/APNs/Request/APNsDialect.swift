package import HTTPCore
internal import JSON
package import PushCore

/// Apple's provider API: decides on device pushes and writes the answers.
package struct APNsDialect {
    package let policy: APNsPolicy
    /// Checks a signature against a known key.
    let verify: APNsSession.Verifier
    private let checks: [APNsCheck]

    /// The longest body of a device push in bytes (docs/evidence/apns.md §5.1, documented).
    package static let payloadLimit = 4096
    package static let voipPayloadLimit = 5120

    package init(_ policy: APNsPolicy, verify: @escaping APNsSession.Verifier) {
        self.policy = policy
        self.verify = verify
        checks = policy.checks
    }

    /// The dialect for the pushes that Google sends: see `verdict(on:)`.
    package init(relaying policy: APNsPolicy) {
        self.policy = policy
        verify = { _, _, _ in false }
        checks = Self.relayedChecks(policy.checks)
    }

    package static func bodyLimit(_ headers: HeaderBlock, _ path: Range<Int>) -> Int {
        if BroadcastDialect.handlesPath(headers.storage.span.extracting(path)) { return BroadcastDialect.payloadLimit }
        return isVoIP(headers) ? voipPayloadLimit : payloadLimit
    }

    /// Whether the push type is `voip`. Without a push type, the topic decides (docs/evidence/apns.md §5.1, inferred).
    private static func isVoIP(_ headers: HeaderBlock) -> Bool {
        let bytes = headers.storage.span
        // Looking for the fields by name takes longer, and hardly any push has such a value.
        guard hasValueEndingInVoIP(headers) else { return false }
        if let type = headers.range(of: .apnsPushType) { return bytes.extracting(type).equals(voip) }
        guard let range = headers.range(of: .apnsTopic), range.count > voipSuffix.count else { return false }
        return bytes.extracting((range.upperBound - voipSuffix.count)..<range.upperBound).equals(voipSuffix)
    }

    private static func hasValueEndingInVoIP(_ headers: HeaderBlock) -> Bool {
        let (bytes, places) = (headers.storage.span, headers.places.span)
        for index in places.indices {
            let end = Int(places[index].end)
            guard end >= 4, bytes[end &- 2] == UInt8(ascii: "i") else { continue }
            if bytes.extracting((end - 4)..<end).equals(voip) { return true }
        }
        return false
    }

    private static let voip = Array("voip".utf8)
    private static let voipSuffix = Array(".voip".utf8)

    /// The refusal of the first check that fails; nil if the push is accepted.
    ///
    /// - Parameters:
    ///   - draft: the parsed request, with `binding` set if the device token is known. The checks fill in the rest.
    ///   - session: what is known about this connection's provider. The checks update it.
    ///   - memo: the results for the payload and the topic of the previous push, on any connection.
    package func refusal(
        of push: borrowing PushContext, _ draft: inout APNsDraft, _ session: inout APNsSession,
        _ memo: inout PushCheckCache
    ) -> APNsRefusal? {
        for check in checks {
            guard let reason = check.refusal(of: push, &draft, &session, &memo, self)
            else {
                continue
            }
            var refusal = APNsRefusal(
                reason: reason, detail: draft.refusedFinding,
                unregistered: reason.status == 410 ? draft.binding?.unregistered ?? push.now : nil)
            if check == .providerToken, reason != .missingProviderToken {
                (refusal.cause, refusal.place) = (session.cause, "headers/authorization")
            }
            if check == .deviceToken, let beginning = magicBeginning(push, draft) {
                refusal.cause = "the device token begins with \(beginning), which asks for this answer"
                draft.findings.append(.magicToken(beginning, at: "headers/:path"))
            }
            if check == .missingTopic {
                (refusal.cause, refusal.place) = (Self.missingTopicCause(session.certificate), "headers/apns-topic")
            }
            if let finding = check.finding(for: reason, push, draft, session) {
                refusal.cause = finding.message
                draft.findings.append(finding)
            }
            return refusal
        }
        return nil
    }

    /// The beginning of a magic token, which asked for the refusal; nil if the token is not a magic one.
    private func magicBeginning(_ push: borrowing PushContext, _ draft: APNsDraft) -> String? {
        let digits = push.request.headers.storage.span.extracting(draft.digits)
        return MagicToken.reason(digits) == nil ? nil : digits.extracting(first: 10).text
    }

    private static func missingTopicCause(_ certificate: ProviderCertificate?) -> String {
        guard let certificate else { return "apns-topic is missing, and the client has no certificate that names one" }
        if certificate.topics.isEmpty { return "apns-topic is missing, and the client certificate names no topic" }
        return "apns-topic is missing, and the client certificate is for \(certificate.topics.count) topics: "
            + certificate.topics.joined(separator: ", ")
    }

    /// The header fields of an answer: the `apns-id` of the request or a generated one; in the sandbox also
    /// `apns-unique-id`.
    package func answerHeaders(
        suppliedID: ArraySlice<UInt8>?, _ push: PushID, in environment: PushEnvironment, _ idGenerator: IDGenerator
    ) -> HeaderBlock {
        var answer: HeaderBlock
        if let own = suppliedID, !own.isEmpty {
            answer = HeaderBlock()
            answer.append(.apnsID, own)
        } else {
            answer = HeaderBlock(like: Self.placeholderID) {
                idGenerator.id(of: push).write(over: &$0, at: HeaderName.apnsID.count)
            }
        }
        if environment == .sandbox { answer.append(.apnsUniqueID, idGenerator.uniqueID(of: push).text.lowercased()) }
        return answer
    }

    private static let placeholderID = HeaderBlock([.apnsID: String(repeating: "-", count: RandomID.count)])

    package func answer(_ refusal: APNsRefusal, headers: HeaderBlock) -> Response {
        var json = JSONWriter()
        json.object { json in
            json.member("reason", policy.word(for: refusal.reason))
            if let moment = refusal.unregistered { json.member("timestamp", moment.milliseconds) }
            if let detail = refusal.detail {
                json.member("rule", detail.rule.description)
                json.member("message", detail.message)
            }
        }
        var headers = headers
        if policy.choices.contains(.errorType) { headers.append(.contentType, "application/json") }
        return Response(status: refusal.reason.status, headers: headers, body: .bytes(json.finish()))
    }
}

extension APNsPolicy {
    /// The reasons that Apple's documentation spells differently than the service does (docs/evidence/apns.md §0).
    private static let documented: [APNsReason: String] = [
        .badEnvironmentKeyInToken: "BadEnvironmentKeyIdInToken", .broadcastFeatureNotEnabled: "FeatureNotEnabled",
    ]

    func word(for reason: APNsReason) -> String {
        usesDocumentedSpelling ? Self.documented[reason] ?? reason.word : reason.word
    }
}

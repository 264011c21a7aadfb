package import HTTPCore
internal import JSON
package import PushCore

/// Apple's provider API: requests in, verdicts and answers out.
package struct APNsDialect: Sendable {
    package let policy: APNsPolicy

    /// The longest body of a device push (facts/apns.md §5.1, documented).
    package static let payloadLimit = 4096
    package static let voipPayloadLimit = 5120

    package init(_ policy: APNsPolicy = APNsPolicy()) { self.policy = policy }

    package static func bodyLimit(_ headers: HeaderBlock, _ path: Range<Int>) -> Int {
        if BroadcastDialect.isItsPath(headers.storage.span.extracting(path)) { return BroadcastDialect.payloadLimit }
        let isVoIP = headers.first(.apnsPushType)?.elementsEqual("voip".utf8) ?? false
        return isVoIP ? voipPayloadLimit : payloadLimit
    }

    /// Decides about a device push, by the first check that refuses it; nil where none does.
    ///
    /// - Parameters:
    ///   - draft: what was read of the request; the checks read the rest. Whose its device token is has to be in it.
    ///   - session: what the connection has shown before; it learns.
    ///   - memo: the payload and the topic that came last, by whomever.
    ///   - verify: whether a signature is a known key's.
    package func refusal(
        of request: Request, _ draft: inout APNsDraft, _ session: inout APNsSession,
        _ memo: inout PushMemo, at now: Timestamp, verify: APNsSession.Verifier
    ) -> APNsRefusal? {
        for check in policy.checks {
            guard let reason = check.refusal(of: request, &draft, &session, &memo, at: now, policy, verify: verify)
            else {
                continue
            }
            var refusal = APNsRefusal(
                reason: reason, detail: draft.refused,
                unregistered: reason.status == 410 ? draft.binding?.unregistered ?? now : nil)
            if check == .providerToken, reason != .missingProviderToken { refusal.cause = session.cause }
            return refusal
        }
        return nil
    }

    /// The answer's fields: the `apns-id` that was sent, else a minted one; in the sandbox an `apns-unique-id` too.
    package func answerHeaders(
        ownID: ArraySlice<UInt8>?, _ push: PushID, in environment: PushEnvironment, _ idGenerator: IDGenerator
    ) -> HeaderBlock {
        var answer: HeaderBlock
        if let own = ownID, !own.isEmpty {
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
    /// Where Apple's documentation and the wire differ (facts/apns.md §0).
    private static let documented: [APNsReason: String] = [
        .badEnvironmentKeyInToken: "BadEnvironmentKeyIdInToken", .broadcastFeatureNotEnabled: "FeatureNotEnabled",
    ]

    func word(for reason: APNsReason) -> String {
        usesDocumentedSpelling ? Self.documented[reason] ?? reason.word : reason.word
    }
}

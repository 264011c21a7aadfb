internal import HTTPCore
internal import PushCore

/// One step of the decision on a device push. The order is data, because Apple's order is not completely known.
package enum APNsCheck: Sendable, CaseIterable {
    case method, path, providerToken, missingToken
    case repeatedFields, messageID, expiration, priority, collapseID, pushType, backgroundPriority, missingTopic,
        topicShape
    case emptyPayload, payloadSize
    case deviceToken, registration, allowedTopic, pushTypeForTopic, topicForToken, payload, unregisteredToken

    /// The order of docs/evidence/apns.md §4.3. Apple was observed to check the method before the path, and the
    /// provider token before the device token, the topic and the collapse id. The rest is assumed. The payload rules
    /// are Pushpit's own; they come between the topic checks and the check for 410.
    package static let standardOrder = allCases

    private static let unknownKey = Finding(
        "auth.unknown-key", .note, at: "headers/authorization",
        "The signature was not checked, because no --apns-key has its key id; Apple would check it.")

    /// Inlined into its only caller, because passing the arguments to each check takes 700 instructions in all.
    @inline(__always) func refusal(
        of push: borrowing PushContext, _ draft: inout APNsDraft, _ session: inout APNsSession,
        _ memo: inout PushCheckCache,
        _ dialect: APNsDialect
    ) -> APNsReason? {
        let block = push.request.headers.storage.span
        let policy = dialect.policy
        switch self {
        case .method: return push.request.method == .post ? nil : .methodNotAllowed
        case .path: return draft.hasPath ? nil : .badPath
        case .providerToken:
            if policy.auth == .off || session.certificate != nil { return nil }
            guard let token = draft.providerToken(block) else { return .missingProviderToken }
            let reason = session.refusal(
                of: block.extracting(token), in: draft.environment, at: push.now, policy, dialect.verify)
            if reason == nil, !session.isKeyKnown { draft.findings.append(Self.unknownKey) }
            return reason
        case .missingToken: return draft.digits.isEmpty ? .missingDeviceToken : nil
        case .repeatedFields:
            if !draft.fields.isUnusual { return nil }
            draft.findings += MisspelledField.findings(in: push.request.headers)
            return draft.fields.isRepeated ? .duplicateHeaders : nil
        case .messageID:
            return draft.accepts(draft.fields[.id], block) { APNsSyntax.isIdentifier($0, policy) } ? nil : .badMessageID
        case .expiration: return draft.readExpiration(block, at: push.now, policy) ? nil : .badExpirationDate
        case .priority: return draft.readPriority(block) ? nil : .badPriority
        case .collapseID:
            return draft.accepts(draft.fields[.collapseID], block) { $0.count <= APNsSyntax.collapseIDLimit }
                ? nil : .badCollapseID
        case .pushType: return draft.readPushType(block) ? nil : .invalidPushType
        case .backgroundPriority:
            let isHighPriorityBackground = draft.pushType == .background && draft.priority == 10
            return isHighPriorityBackground && policy.backgroundPriority == .reject ? .badPriority : nil
        case .missingTopic: return draft.readTopic(block, session.certificate, &memo) ? nil : .missingTopic
        case .topicShape: return draft.hasWellFormedTopic(block, &memo) ? nil : .badTopic
        case .emptyPayload: return push.request.body.isEmpty && !push.request.bodyIsOverLimit ? .payloadEmpty : nil
        case .payloadSize: return push.request.bodyIsOverLimit ? .payloadTooLarge : nil
        case .deviceToken:
            if let wanted = MagicToken.reason(block.extracting(draft.digits)) { return wanted }
            return draft.device == nil ? .badDeviceToken : nil
        case .registration:
            guard let known = draft.binding else { return policy.acceptsUnknownDevices ? nil : .badDeviceToken }
            return known.environment == draft.environment ? nil : .badDeviceToken
        case .allowedTopic: return draft.isAllowed(session) ? nil : .topicDisallowed
        case .pushTypeForTopic: return draft.pushTypeConflict(policy)
        case .topicForToken: return draft.topicMatchesToken ? nil : .deviceTokenNotForTopic
        case .payload:
            if let reason = draft.readPayload(push.request.body, &memo, policy) { return reason }
            // For a push without the type `background`, only the payload shows that it is a background push.
            return policy.backgroundPriority == .reject && draft.backgroundMistakes.contains(.priority)
                ? .badPriority : nil
        case .unregisteredToken: return draft.binding?.unregistered == nil ? nil : .unregistered
        }
    }
}

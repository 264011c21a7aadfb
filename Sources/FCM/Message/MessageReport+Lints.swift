internal import JSON
internal import PushCore

/// Likely mistakes that only `pushpit check` looks for, because a gateway should not spend time on them.
extension MessageReport {
    private static let content = [FCMField.notification, .data, .android, .androidV2, .apns, .webpush]
    private static let appleFields = NearMiss([
        "apns-topic", "apns-id", "apns-push-type", "apns-priority", "apns-expiration", "apns-collapse-id",
        "apns-channel-id", "apns-request-id", "apns-unique-id",
    ])
    private static let maximumNames = 20

    static func lints(_ message: ProtoView) -> [Finding] {
        var findings: [Finding] = []
        if !content.contains(where: message.has) {
            findings.append(
                Finding(
                    "fcm.nothing-to-deliver", .note, at: "/message",
                    "The message has a target, but no notification, no data and no part for a platform. "
                        + "Google answers 200, and apps get an empty message."))
        }
        for (key, _) in message.message(.apns)?.entries(.headers) ?? [] where findings.count < maximumNames {
            guard let guess = appleFields.guess(key.lowercased()) else { continue }
            findings.append(
                Finding(
                    "fcm.misspelled-key", .warning,
                    at: JSONPointer("/message/apns/headers")?.appending(key).description ?? "/message/apns/headers",
                    "Did you mean '\(guess)'? Apple ignores the field \(key.quoted)."))
        }
        return findings
    }
}

internal import HTTPCore
internal import JSON
internal import PushCore

/// What exactly is wrong with a call to the broadcast or channel API. Runs only for refused calls.
extension BroadcastCall {
    /// The wrong value, as a finding; nil if the refusal has a cause already, or if its meaning says enough.
    func finding(for refusal: APNsRefusal) -> Finding? {
        guard refusal.cause == nil, refusal.detail == nil, let (text, place) = cause(of: refusal.reason) else {
            return nil
        }
        return Finding(refusal.rule.description, .error, at: place, text)
    }

    private func cause(of reason: APNsReason) -> (String, String)? {
        switch reason {
        case .badPath where route == nil:
            ("No call has the method \(request.method.rawValue) and the path \(text(.path).quoted).", "headers/:path")
        case .badPath, .channelNotRegistered, .badChannelID:
            ("The app \(app) has no channel with the id \(text(.apnsChannelID).quoted).", "headers/apns-channel-id")
        case .badMessageID:
            ("apns-request-id is \(text(.apnsRequestID).quoted), which is not a UUID.", "headers/apns-request-id")
        case .topicMismatch: ("The certificate or key does not cover the app \(app).", "headers/:path")
        case .topicDisallowed: ("The path has \(app.quoted), which is not a bundle id.", "headers/:path")
        case .badExpirationDate: (expirationCause, "headers/apns-expiration")
        case .badPriority:
            ("apns-priority \(text(APNsField.priority.name).quoted) is not 10, 5 or 1.", "headers/apns-priority")
        case .missingPushType: pushTypeCause("is missing")
        case .invalidPushType: pushTypeCause("is \(wrongPushType)")
        case .badRequestParams: unknownMember.map { ("The body has the unknown member \($0.quoted).", "/\($0)") }
        case .missingChannelQueueSize:
            (
                "message-storage-policy \(root?["message-storage-policy"].map { "is \($0.shown)" } ?? "is missing"), but must be the number 0 or 1.",
                "/message-storage-policy"
            )
        default: nil
        }
    }

    private var root: JSONView? { (try? JSONDocument(parsing: request.body))?.root }

    private var expirationCause: String {
        let field = APNsField.expiration.name
        guard request.headers.range(of: field) != nil else { return "apns-expiration is missing." }
        let value = text(field)
        return APNsSyntax.seconds(value.utf8Span.span) == nil
            ? "apns-expiration is \(value.quoted), not a number of whole seconds."
            : "apns-expiration is \(value.quoted), but the channel stores nothing, so it must be 0."
    }

    private func pushTypeCause(_ fault: String) -> (String, String) {
        route == .create
            ? ("push-type \(fault), but must be LiveActivity.", "/push-type")
            : ("apns-push-type \(fault), but must be LiveActivity.", "headers/apns-push-type")
    }

    private var wrongPushType: String {
        route == .create ? root?["push-type"]?.shown ?? "" : text(.apnsPushType).quoted
    }

    private var unknownMember: String? {
        root?.members.map(\.key.shortened).first { !["message-storage-policy", "push-type"].contains($0) }
    }

    private func text(_ name: HeaderName) -> String {
        request.headers.first(name).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}

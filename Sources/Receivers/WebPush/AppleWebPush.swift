internal import HTTPCore
internal import JSON
internal import PushCore

extension WebPush {
    /// The reasons with which Apple's service refuses web pushes.
    package static let reasonsOfApple: [String] = AppleWebPushRule.allCases.map(\.reason)
}

/// Web pushes as Apple's service takes them (docs/evidence/receivers.md §6.4).
enum AppleWebPush {
    static func check(
        _ push: WebPush, _ endpoint: PushService.Endpoint, _ verify: VAPID.Verify
    ) throws(WebPushRefusal) -> WebPushTerms {
        do throws(AppleWebPushRule) { return try read(push, endpoint, verify) } catch {
            throw WebPushRefusal(rule: error.rule, reason: error.reason, response: error.response)
        }
    }

    /// Checks a push. In which order Apple checks is not known.
    private static func read(
        _ push: WebPush, _ endpoint: PushService.Endpoint, _ verify: VAPID.Verify
    ) throws(AppleWebPushRule) -> WebPushTerms {
        guard endpoint != .unknown else { throw .badPath }
        guard push.hasShortBody else { throw .tooLarge }
        let vapid: VAPID
        do throws(VAPIDProblem) {
            vapid = try VAPID(authorization: push.field("authorization") ?? "", cryptoKey: push.field("crypto-key"))
            try vapid.check(hosts: PushService.apple.signatureHosts(push), at: push.now, verify)
        } catch { throw error.isAboutKey || error == .noKey ? .badKey : .badToken }
        guard isContact(vapid.subject) else { throw .badSubject }
        guard case .open(let key) = endpoint else { throw .unregistered }
        guard key == nil || vapid.key == key else { throw .otherKey }
        guard push.lifetime != nil else { throw .badTTL }
        if let urgency = push.field("urgency"), !urgencies.contains(urgency) { throw .badUrgency }
        // Apple decodes the topic, and base64 never has a length of 4n + 1, such as 5 or 9.
        guard push.hasGoodTopic, (push.field("topic")?.utf8.count ?? 0) % 4 != 1 else { throw .badTopic }
        guard push.request.body.isEmpty || push.field("content-encoding") == "aes128gcm" else { throw .badRequest }
        return PushService.apple.terms(of: push)
    }

    static func response(_ status: Int, _ reason: String?) -> Response {
        // The other words are documented for APNs.
        let words = [
            405: "MethodNotAllowed", 429: "TooManyRequests", 500: "InternalServerError", 503: "ServiceUnavailable",
        ]
        let known = AppleWebPushRule.allCases.first { $0.response.status == status }?.reason
        return AppleWebPushRule.response(status, reason ?? known ?? words[status] ?? "")
    }

    private static let urgencies: Set = ["very-low", "low", "normal", "high"]

    /// Whether the claim `sub` is an address that Apple takes: `mailto:` and an address, or a URL, with a domain.
    private static func isContact(_ text: String?) -> Bool {
        guard let text, !text.contains(" "), !text.contains("<") else { return false }
        let host: Substring
        if text.hasPrefix("mailto:") {
            let parts = text.dropFirst("mailto:".count).split(separator: "@", omittingEmptySubsequences: false)
            guard parts.count == 2, let name = parts.first, !name.isEmpty, let domain = parts.last else { return false }
            host = domain
        } else {
            host = VAPID.host(of: text)[...]
        }
        return !host.isEmpty && host != "localhost"
    }
}

/// Apple's answers to a web push. The words and statuses are documented, or seen in reports of developers.
enum AppleWebPushRule: String, CaseIterable, Error {
    case badPath = "apple-webpush.bad-path"
    case tooLarge = "apple-webpush.too-large"
    case badKey = "apple-webpush.bad-key"
    case badToken = "apple-webpush.bad-jwt"
    case badSubject = "apple-webpush.bad-sub"
    case unregistered = "apple-webpush.unsubscribed"
    case otherKey = "apple-webpush.other-key"
    case badTTL = "apple-webpush.bad-ttl"
    case badUrgency = "apple-webpush.bad-urgency"
    case badTopic = "apple-webpush.bad-topic"
    case badRequest = "apple-webpush.bad-encoding"

    private typealias Row = (
        status: Int, reason: String, evidence: Rule.Evidence, meaning: String, remedy: String
    )

    private var row: Row {
        switch self {
        case .badPath:
            (
                404, "BadPath", .documented, "The token in the path of an endpoint is unknown.",
                "Use the endpoint that the subscription of the page has."
            )
        case .tooLarge:
            (
                413, "PayloadTooLarge", .documented, "The body of a web push has more than 4,096 bytes.",
                "Send less: at most 3,993 bytes before encryption."
            )
        case .badKey:
            (
                403, "BadVapidPublicKey", .observed, "The VAPID key is missing, or not a P-256 point of 65 bytes.",
                "Send 'authorization: vapid t=TOKEN, k=KEY' with the uncompressed public key in base64 for URLs."
            )
        case .badToken:
            (
                403, "BadJwtToken", .documented,
                "The VAPID token is missing, has a wrong signature or aud, or its exp is not in the next 24 hours.",
                "Sign a new token for the origin of the endpoint, with the private key that belongs to k."
            )
        case .badSubject:
            (
                403, "BadJwtToken", .documented,
                "Apple does not accept the sub claim of the VAPID token.",
                "Set sub to 'mailto:NAME@DOMAIN', without spaces, or to an https URL; not at localhost."
            )
        case .unregistered:
            (410, "Unregistered", .documented, "The page has unsubscribed.", "Delete the subscription.")
        case .otherKey:
            (
                400, "VapidPkHashMismatch", .observed,
                "A web push is signed with a VAPID key other than the one that the page subscribed with.",
                "Sign with the key whose public half is the page's applicationServerKey."
            )
        case .badTTL:
            (
                400, "BadTtl", .observed, "A web push has no TTL field, or one that is not a number.",
                "Send TTL: how many seconds the push may wait."
            )
        case .badUrgency:
            (
                400, "BadUrgency", .observed, "The Urgency of a web push is an unknown word.",
                "Use very-low, low, normal or high."
            )
        case .badTopic:
            (
                400, "BadWebPushTopic", .observed,
                "The Topic of a web push is not base64 for URLs, or has more than 32 characters.",
                "Use at most 32 characters; base64 never has a length of 5, 9, 13 and so on."
            )
        case .badRequest:
            (
                400, "BadWebPushRequest", .assumed, "The content-encoding of a web push is not aes128gcm.",
                "Encrypt with aes128gcm."
            )
        }
    }

    var rule: Rule { Rule(rawValue, .refusal(row.status), row.evidence, row.meaning, row.remedy) }
    var reason: String { row.reason }

    var response: Response { Self.response(row.status, row.reason) }

    static func response(_ status: Int, _ reason: String) -> Response {
        var json = JSONWriter()
        json.object { json in json.member("reason", reason) }
        return Response(
            status: status, headers: HeaderBlock([.contentType: "application/json"]), body: .bytes(json.finish()))
    }
}

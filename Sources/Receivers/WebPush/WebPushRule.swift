internal import HTTPCore
package import PushCore

/// Google's answers to a web push (docs/evidence/receivers.md §6.2). Rows whose sentences are known only from a list in
/// Chromium's source are assumed.
enum WebPushRule: String, CaseIterable, Error {
    case tooLarge = "webpush.too-large"
    case unknownToken = "webpush.unknown-token"
    case noAuthorization = "webpush.no-authorization"
    case noKey = "webpush.no-key"
    case badKey = "webpush.bad-key"
    case keyNotBase64 = "webpush.key-not-base64"
    case keyNotUncompressed = "webpush.key-compressed"
    case keyNotOnCurve = "webpush.key-not-on-curve"
    case badToken = "webpush.bad-jwt"
    case noExpiry = "webpush.no-exp"
    case expired = "webpush.expired"
    case expiresTooLate = "webpush.exp-too-late"
    case badAudience = "webpush.bad-aud"
    case otherKey = "webpush.other-key"
    case otherSender = "webpush.other-sender"
    case unsubscribed = "webpush.unsubscribed"
    case badTTL = "webpush.bad-ttl"
    case badTopic = "webpush.bad-topic"

    private struct Row {
        let status: Int
        /// The body of the answer, without the newline at its end.
        let text: String
        let evidence: Rule.Evidence
        let meaning: String
        let remedy: String
    }

    private var row: Row {
        switch self {
        case .tooLarge:
            Row(
                status: 400, text: "binary data passed in the request must be less than 4096 bytes",
                evidence: .observed,
                meaning: "The body of a web push has more than 4,096 bytes.",
                remedy: "Send less: at most 3,993 bytes before encryption.")
        case .unknownToken:
            Row(
                status: 404,
                text:
                    "A valid push subscription endpoint should be specified in the URL as such: https://fcm.googleapis.com/wp/<token>",
                evidence: .observed, meaning: "No client has ever registered the token in the endpoint's path.",
                remedy:
                    "Use the endpoint that the page's subscription has now. A gateway without --data forgets its browsers when it ends: then let the page unsubscribe and subscribe again, or start the browser with a new profile."
            )
        case .noAuthorization:
            Row(
                status: 401, text: "authorization header must be specified.", evidence: .observed,
                meaning: "A web push has no authorization field.",
                remedy: "Sign with the VAPID key: 'authorization: vapid t=TOKEN, k=KEY'.")
        case .noKey:
            Row(
                status: 403,
                text:
                    "authorization header had no public application server key specified. Authorization header should have the following format: vapid t=jwtToken; k=base64(publicApplicationServerKey)",
                evidence: .assumed, meaning: "The authorization field of a web push has no k=, or another format.",
                remedy: "Send 'authorization: vapid t=TOKEN, k=KEY'.")
        case .badKey:
            Row(
                status: 403, text: "public key must be 65 bytes long", evidence: .assumed,
                meaning: "The VAPID key in the authorization field is not a P-256 point of 65 bytes.",
                remedy: "Send the uncompressed public key in base64 for URLs.")
        case .keyNotBase64:
            Row(
                status: 403, text: "make sure the public key is base64url-encoded [RFC7515]", evidence: .assumed,
                meaning: "The VAPID key in the authorization field is not base64 for URLs.",
                remedy: "Encode the 65 bytes of the public key in base64 for URLs.")
        case .keyNotUncompressed:
            Row(
                status: 403, text: "public key must be in uncompressed form. (First byte needs to be 0x04)",
                evidence: .assumed, meaning: "The VAPID key in the authorization field does not begin with 4.",
                remedy: "Send the uncompressed public key.")
        case .keyNotOnCurve:
            Row(
                status: 403, text: "VAPID public key must be on the P-256 curve", evidence: .assumed,
                meaning: "The VAPID key in the authorization field is not a point of P-256.",
                remedy: "Send the public half of the key that signs.")
        case .badToken:
            Row(
                status: 403, text: "permission denied: invalid JWT provided", evidence: .observed,
                meaning: "The VAPID token is not a JWT, or its signature does not fit the key.",
                remedy: "Sign the token with ES256 and the private key that belongs to k.")
        case .noExpiry:
            Row(
                status: 403, text: "exp claim is missing", evidence: .assumed,
                meaning: "The VAPID token has no exp claim.", remedy: "Add exp, at most 24 hours ahead.")
        case .expired:
            Row(
                status: 403, text: "token has expired", evidence: .assumed,
                meaning: "The exp claim of the VAPID token is in the past.", remedy: "Sign a new token.")
        case .expiresTooLate:
            Row(
                status: 403, text: "exp claim MUST NOT be more than 24 hours from the time of the request",
                evidence: .assumed, meaning: "The exp claim of the VAPID token is more than 24 hours ahead.",
                remedy: "Let the token expire within 24 hours.")
        case .badAudience:
            Row(
                status: 403, text: "aud claim in the token MUST include the origin of the push resource URL",
                evidence: .assumed, meaning: "The aud claim of the VAPID token is not the origin of the endpoint.",
                remedy: "Set aud to the scheme and host of the endpoint, such as https://fcm.googleapis.com.")
        case .otherKey:
            Row(
                status: 403,
                text:
                    "the VAPID credentials in the authorization header do not correspond to the credentials used to create the subscriptions.",
                evidence: .observed,
                meaning: "A web push is signed with a VAPID key other than the one that the page subscribed with.",
                remedy: "Sign with the key whose public half is the page's applicationServerKey.")
        case .otherSender:
            Row(
                status: 403,
                text:
                    "the key in the authorization header does not correspond to the sender ID used to subscribe this user. Please ensure you are using the correct sender ID and server Key from the Firebase console.",
                evidence: .observed,
                meaning: "The page subscribed with a sender id (a project's number), and not with a VAPID key.",
                remedy: "Send FCM messages to this app, or let it subscribe with your VAPID key.")
        case .unsubscribed:
            Row(
                status: 410, text: "push subscription has unsubscribed or expired.", evidence: .observed,
                meaning: "The page has unsubscribed.", remedy: "Delete the subscription.")
        case .badTTL:
            Row(
                status: 400, text: "missing or invalid TTL header", evidence: .assumed,
                meaning: "A web push has no TTL field, or one that is not a number.",
                remedy: "Send TTL: how many seconds the push may wait.")
        case .badTopic:
            Row(
                status: 400, text: "invalid Topic header", evidence: .assumed,
                meaning:
                    "The Topic of a web push has more than 32 characters, or characters other than A-Z, a-z, 0-9, "
                    + "- and _.",
                remedy: "Shorten it or encode it in base64 for URLs.")
        }
    }

    var rule: Rule { Rule(rawValue, .refusal(row.status), row.evidence, row.meaning, row.remedy) }

    /// What Google says about it.
    var text: String { row.text }

    var response: Response { Self.response(row.status, row.text) }

    static func response(_ status: Int, _ text: String) -> Response {
        Response(
            status: status,
            headers: HeaderBlock([
                .contentType: "text/plain; charset=utf-8", HeaderName("x-content-type-options"): "nosniff",
                HeaderName("x-frame-options"): "SAMEORIGIN", HeaderName("x-xss-protection"): "0",
            ]), body: .bytes(Array("\(text)\n".utf8)))
    }
}

extension WebPushRule {
    init(_ problem: VAPIDProblem) {
        self =
            switch problem {
            case .unknownScheme, .noToken, .noKey: .noKey
            case .keyIsNotBase64: .keyNotBase64
            case .keyHasWrongLength: .badKey
            case .keyIsCompressed: .keyNotUncompressed
            case .keyIsNotOnCurve: .keyNotOnCurve
            case .malformed, .badSignature: .badToken
            case .noExpiry: .noExpiry
            case .expired: .expired
            case .expiresTooLate: .expiresTooLate
            case .badAudience: .badAudience
            }
    }
}

package enum ReceiverRules {
    package static let all: [Rule] = [
        WebPushRule.allCases.map(\.rule), MozillaError.allCases.map(\.rule), AppleWebPushRule.allCases.map(\.rule),
    ].flatMap(\.self)
}

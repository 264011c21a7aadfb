internal import HTTPCore
internal import JSON
internal import PushCore

/// The errors of Mozilla's service to a web push (docs/evidence/receivers.md §6.3).
enum MozillaError: String, CaseIterable, Error {
    case unknownToken = "mozilla.unknown-token"
    case noKey = "mozilla.no-key"
    case noToken = "mozilla.no-jwt"
    case badKey = "mozilla.bad-key"
    case otherKey = "mozilla.other-key"
    case unsubscribed = "mozilla.unsubscribed"
    case badToken = "mozilla.bad-jwt"
    case badClaim = "mozilla.bad-claim"
    case expired = "mozilla.expired"
    case expiresTooLate = "mozilla.exp-too-late"
    case badAudience = "mozilla.bad-aud"
    case badScheme = "mozilla.unknown-scheme"
    case tooLarge = "mozilla.too-large"
    case noTTL = "mozilla.no-ttl"
    case negativeTTL = "mozilla.negative-ttl"
    case longTopic = "mozilla.long-topic"
    case badTopic = "mozilla.bad-topic"
    case noEncoding = "mozilla.no-encoding"
    case badEncoding = "mozilla.unknown-encoding"
    case noEncryption = "mozilla.no-encryption"
    case noSalt = "mozilla.no-salt"
    case unwantedKey = "mozilla.unwanted-dh"

    private struct Row {
        let status: Int
        let number: Int
        let text: String
        let meaning: String
        let remedy: String
    }

    private static let vapidRemedy = "Send 'authorization: vapid t=TOKEN, k=KEY', signed with the page's key."

    private var row: Row {
        switch self {
        case .unknownToken:
            Row(
                status: 404, number: 102, text: "Invalid token",
                meaning: "The token in the path of an endpoint is unknown.",
                remedy: "Use the endpoint that the subscription of the page has.")
        case .noKey:
            Row(
                status: 401, number: 109, text: "Missing VAPID public key",
                meaning: "A web push to a subscription with a key has no key in its authorization field.",
                remedy: Self.vapidRemedy)
        case .noToken:
            Row(
                status: 401, number: 109, text: "Missing VAPID token",
                meaning: "A web push to a subscription with a key has no authorization field.", remedy: Self.vapidRemedy
            )
        case .badKey:
            Row(
                status: 401, number: 109, text: "Invalid VAPID public key",
                meaning: "The VAPID key is not a P-256 point of 65 bytes.",
                remedy: "Send the uncompressed public key in base64 for URLs.")
        case .otherKey:
            Row(
                status: 401, number: 109, text: "VAPID public key mismatch",
                meaning: "A web push is signed with a VAPID key other than the one that the page subscribed with.",
                remedy: "Sign with the key whose public half is the page's applicationServerKey.")
        case .unsubscribed:
            Row(
                status: 410, number: 106, text: "No such subscription", meaning: "The page has unsubscribed.",
                remedy: "Delete the subscription.")
        case .badToken:
            Row(
                status: 401, number: 109, text: "InvalidSignature",
                meaning: "The VAPID token is not a JWT, or its signature does not fit the key.",
                remedy: "Sign the token with ES256 and the private key that belongs to k.")
        case .badClaim:
            Row(
                status: 401, number: 109,
                text:
                    #"Invalid VAPID token: A value in the vapid claims is either missing or incorrectly specified (e.g. "exp":"12345" or "sub":null). Please correct and retry."#,
                meaning: "The exp claim of the VAPID token is missing or not a number.",
                remedy: "Set exp to a number of seconds, at most 24 hours ahead.")
        case .expired:
            Row(
                status: 401, number: 109, text: "ExpiredSignature",
                meaning: "The exp claim of the VAPID token is in the past.", remedy: "Sign a new token.")
        case .expiresTooLate:
            Row(
                status: 401, number: 109, text: "The VAPID token expiration is too long",
                meaning: "The exp claim of the VAPID token is more than 24 hours ahead.",
                remedy: "Let the token expire within 24 hours.")
        case .badAudience:
            Row(
                status: 401, number: 109, text: "Invalid VAPID audience",
                meaning: "The aud claim of the VAPID token is not the origin of the endpoint.",
                remedy: "Set aud to the scheme and host of the endpoint.")
        case .badScheme:
            Row(
                status: 401, number: 109, text: "Unknown auth scheme",
                meaning: "The authorization field of a web push has an unknown scheme.", remedy: Self.vapidRemedy)
        case .tooLarge:
            Row(
                status: 413, number: 104, text: "Request payload is too large",
                meaning: "The body of a web push has more than 4,096 bytes.",
                remedy: "Send less: at most 3,993 bytes before encryption.")
        case .noTTL:
            Row(
                status: 400, number: 111, text: "Missing TTL value",
                meaning: "A web push has no TTL field, or one that is not a number.",
                remedy: "Send TTL: how many seconds the push may wait.")
        case .negativeTTL:
            Row(
                status: 400, number: 114, text: "TTL must be greater than 0",
                meaning: "The TTL of a web push is negative.",
                remedy: "Send TTL: how many seconds the push may wait.")
        case .longTopic:
            Row(
                status: 400, number: 113, text: "Topic must be no greater than 32 characters",
                meaning: "The Topic of a web push has more than 32 characters.", remedy: "Shorten the Topic.")
        case .badTopic:
            Row(
                status: 400, number: 113, text: "Topic must be URL and Filename safe Base64 alphabet",
                meaning: "The Topic of a web push has characters other than A-Z, a-z, 0-9, - and _.",
                remedy: "Encode it in base64 for URLs.")
        case .noEncoding:
            Row(
                status: 400, number: 110, text: "Missing Content-Encoding header",
                meaning: "A web push with a body has no content-encoding.", remedy: "Send content-encoding: aes128gcm.")
        case .badEncoding:
            Row(
                status: 400, number: 110, text: "Unknown Content-Encoding header",
                meaning: "A web push has a content-encoding other than aes128gcm or aesgcm.",
                remedy: "Send content-encoding: aes128gcm.")
        case .noEncryption:
            Row(
                status: 400, number: 110, text: "Missing Encryption header",
                meaning: "A web push in the older coding aesgcm has no encryption field.",
                remedy: "Send 'encryption: salt=SALT', or use aes128gcm.")
        case .noSalt:
            Row(
                status: 400, number: 110, text: "Missing salt value in Encryption header",
                meaning: "The encryption field of a web push has no salt.",
                remedy: "Send 'encryption: salt=SALT', or use aes128gcm.")
        case .unwantedKey:
            Row(
                status: 400, number: 110, text: "Do not include 'dh' header in aes128gcm Crypto-Key header",
                meaning: "A web push in aes128gcm has a key of the older coding in its crypto-key field.",
                remedy: "Leave dh out: in aes128gcm the key is in the body.")
        }
    }

    var rule: Rule { Rule(rawValue, .refusal(row.status), .observed, row.meaning, row.remedy) }

    /// What Mozilla's service says about it.
    var text: String { row.text }

    private static let words = [
        400: "Bad Request", 401: "Unauthorized", 404: "Not Found", 410: "Gone", 413: "Payload Too Large",
        429: "Too Many Requests", 500: "Internal Server Error", 502: "Bad Gateway", 503: "Service Unavailable",
    ]

    var response: Response { Self.response(row.status, row.number, row.text) }

    static func response(_ status: Int, _ number: Int, _ text: String) -> Response {
        var json = JSONWriter()
        json.object { json in
            json.member("code", status)
            json.member("errno", number)
            json.member("error", words[status] ?? "")
            json.member("message", text)
            json.member("more_info", "http://autopush.readthedocs.io/en/latest/http.html#error-codes")
        }
        var headers = HeaderBlock([.contentType: "application/json"])
        if status == 410 { headers.append(HeaderName("cache-control"), "max-age=86400") }
        return Response(status: status, headers: headers, body: .bytes(json.finish()))
    }
}

extension MozillaError {
    init(_ problem: VAPIDProblem) {
        self =
            switch problem {
            case .unknownScheme: .badScheme
            case .noToken, .malformed: .noToken
            case .noKey: .noKey
            case .keyIsNotBase64, .keyHasWrongLength, .keyIsCompressed, .keyIsNotOnCurve: .badKey
            case .badSignature: .badToken
            case .noExpiry: .badClaim
            case .expired: .expired
            case .expiresTooLate: .expiresTooLate
            case .badAudience: .badAudience
            }
    }
}

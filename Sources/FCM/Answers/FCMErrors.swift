internal import PushCore

/// The errors of the send API, each with its exact text (docs/evidence/fcm.md §1.6, §2.4, §3.2).
///
/// The comments say how each text is known: captured from the service, quoted by others, or written from memory.
extension GoogleError {
    private static let tail =
        "Expected OAuth 2 access token, login cookie or other valid authentication credential. "
        + "See https://developers.google.com/identity/sign-in/web/devconsole-project."
    static let badArgument = "Request contains an invalid argument."
    static let exhausted = "Resource has been exhausted (e.g. check quota)."
    private static let realm = "Bearer realm=\"https://accounts.google.com/\""
    private static let method = [
        ("method", "google.firebase.fcm.v1.FcmService.SendMessage"), ("service", "fcm.googleapis.com"),
    ]

    private static func info(_ reason: String) -> Detail {
        .errorInfo(reason: reason, domain: "googleapis.com", metadata: method)
    }

    // Authentication. The texts are quoted in full, unless a comment says otherwise.
    static let credentialsMissing = GoogleError(
        401, "Request is missing required authentication credential. " + tail, [info("CREDENTIALS_MISSING")],
        challenge: realm, rule: "fcm.credentials-missing")
    /// The text is quoted from other Google APIs.
    static let keyAlone = GoogleError(
        401,
        "API keys are not supported by this API. Expected OAuth2 access token or other authentication credentials that "
            + "assert a principal. See https://cloud.google.com/docs/authentication",
        [info("CREDENTIALS_MISSING")], challenge: realm, rule: "fcm.key-alone")
    static let credentialsInvalid = GoogleError(
        401, "Request had invalid authentication credentials. " + tail, challenge: realm + ", error=\"invalid_token\"",
        rule: "fcm.credentials-invalid")
    /// From memory.
    static let credentialsOfWrongType = GoogleError(
        401, "Request had invalid authentication credentials. " + tail, [info("ACCESS_TOKEN_TYPE_UNSUPPORTED")],
        challenge: realm + ", error=\"invalid_token\"", rule: "fcm.credentials-type")

    static let credentialsExpired = GoogleError(
        401, "Request had invalid authentication credentials. " + tail, [info("ACCESS_TOKEN_EXPIRED")],
        challenge: realm + ", error=\"invalid_token\"", rule: "fcm.credentials-expired"
    ).with(
        rule: RuleID("fcm.credentials-expired"),
        hint:
            "the access token has expired by the gateway's clock, or was invalidated with POST /api/v1/credentials/expire; "
            + "get another one from /token")
    /// The text was seen on other Google APIs.
    static let scopeInsufficient = GoogleError(
        403, "Request had insufficient authentication scopes.", [info("ACCESS_TOKEN_SCOPE_INSUFFICIENT")],
        challenge: realm
            + ", error=\"insufficient_scope\", scope=\"https://www.googleapis.com/auth/firebase.messaging "
            + "https://www.googleapis.com/auth/cloud-platform\"",
        rule: "fcm.scope")

    /// The text is quoted.
    static func noPermission(_ permission: String, _ project: String) -> GoogleError {
        GoogleError(
            403,
            "Permission '\(permission)' denied on resource '//cloudresourcemanager.googleapis.com/projects/\(project)' (or it may not exist).",
            [
                .errorInfo(
                    reason: "IAM_PERMISSION_DENIED", domain: "cloudresourcemanager.googleapis.com",
                    metadata: [("resource", "projects/\(project)"), ("permission", permission)])
            ], rule: "fcm.no-permission")
    }

    // Conversion from JSON. These errors have no FcmError detail.
    static func conversion(_ violations: [ProtoCheck.Violation], rule: String = "fcm.conversion") -> GoogleError {
        var error = GoogleError(
            400, violations.map(\.description).joined(separator: "\n"),
            [
                .badRequest(
                    violations.map {
                        Violation(field: $0.field, description: $0.description, offset: $0.offset, remedy: $0.remedy)
                    })
            ], rule: rule)
        var remedies: [String] = []
        for case let remedy? in violations.map(\.remedy) where !remedies.contains(remedy) { remedies.append(remedy) }
        if !remedies.isEmpty {
            let texts = violations.map(\.description).map { $0.hasSuffix(".") ? $0.dropLast() : $0[...] }
            error.hint = "\(texts.joined(separator: "; ")) (Google's text). \(remedies.joined(separator: " "))"
        }
        return error
    }

    /// The text is from memory.
    static func unknownParameters(_ names: [String]) -> GoogleError {
        conversion(
            names.map { name in
                ProtoCheck.Violation(
                    field: nil,
                    description:
                        "Invalid JSON payload received. Unknown name \"\(name)\": Cannot bind query parameter. "
                        + "Field '\(name)' could not be found in request message.")
            })
    }

    static func notJSON(_ text: String) -> GoogleError {
        GoogleError(400, text, [.badRequest([Violation(field: nil, description: text)])], rule: "fcm.not-json")
    }

    // Checks after the conversion. The texts are captured, unless a comment says otherwise.
    static let noTarget = argument("Recipient of the message is not set.", "message", rule: "fcm.no-target")
    static let badTopic = argument("Topic name contains invalid characters.", "message", rule: "fcm.topic-name")
    static let badToken = GoogleError(
        400, "The registration token is not a valid FCM registration token",
        [
            .fcmError("INVALID_ARGUMENT"),
            .badRequest([
                Violation(
                    field: "message.token", description: "The registration token is not a valid FCM registration token")
            ]),
        ], rule: "fcm.token-malformed")
    /// The answer to a malformed token in 2018 (quoted). Silent messages for iPhones got it in 2021.
    static let badRegistration = GoogleError(
        400, badArgument,
        [
            .badRequest([Violation(field: "message.token", description: "Invalid registration token")]),
            .fcmError("INVALID_ARGUMENT"),
        ], rule: "fcm.token-malformed")
    static let silentForApple = badRegistration.with(
        rule: RuleID("fcm.silent-for-apple"),
        hint: "the message shows nothing on an iPhone, and --fcm-choice refuses such messages")
    static let badCondition: GoogleError = {
        var error = GoogleError(400, badArgument, rule: "fcm.condition")
        error.hint =
            "the condition can't be parsed: write it like 'a' in topics && !('b' in topics), with at most five topics and without '/topics/'"
        return error
    }()
    static let badWebTTL = argument(
        "TTL must be a non-negative integer.", "message.webpush.headers.TTL", rule: "fcm.webpush-ttl")
    static let noAps = argument(
        "Payload of Apple Push Notification Service must contain an [aps] key.", "message.apns.payload",
        rule: "fcm.aps-missing")
    static let emptyAps = argument(
        "Value of [aps] must be a non-empty dictionary.", "message.apns.payload.aps", rule: "fcm.aps-empty")
    /// Google's text is unknown (docs/evidence/fcm.md §10).
    static let androidAndAndroidV2 = argument(
        badArgument, "message.android_v2", rule: "fcm.android-twice")

    /// The code is documented; the text and the field are unknown.
    static func otherPackage(_ name: String) -> GoogleError {
        value(at: "message.android.restricted_package_name", rule: "fcm.other-package", shown: name.quoted)
    }

    /// The field that Google names is unknown.
    static func reservedKey(_ key: String, at field: String) -> GoogleError {
        argument("Invalid data payload key: \(key)", field, rule: "fcm.reserved-key")
    }

    /// An invalid value for which Google's text is unknown.
    static func value(at field: String, rule: String, shown: String? = nil) -> GoogleError {
        var error = argument(badArgument, field, rule: rule)
        error.hint = "\(field) has an invalid value"
        return shown.map { error.with(meaning: "\(field) is \($0).") } ?? error
    }

    // Topics: the codes are documented, but the texts are unknown.
    static let alreadySubscribed = GoogleError(409, "Requested entity already exists", rule: "fcm.already-subscribed")
    static let noSubscription = GoogleError(404, "Requested entity was not found.", rule: "fcm.no-subscription")
    static let tooManyTopics = GoogleError(429, exhausted, rule: "fcm.too-many-topics")
    static let topicQuota = GoogleError(429, exhausted, rule: "fcm.topic-quota")

    /// The text is quoted.
    static let connectRefused = GoogleError(400, badArgument, rule: "fcm.connect")

    // Delivery.
    static let unregistered = fcm(404, "Requested entity was not found.", "UNREGISTERED")
    /// The same answer. Its line in the log names the option `--unknown-devices reject`.
    static let unknownToken = unregistered.with(
        rule: unregistered.rule,
        hint: "the token or installation is unknown, and --unknown-devices reject refuses unknown ones")
    static let senderMismatch = fcm(403, "SenderId mismatch", "SENDER_ID_MISMATCH")
    static let unavailable = fcm(503, "The service is currently unavailable.", "UNAVAILABLE")
    static let internalError = fcm(500, "Internal error encountered.", "INTERNAL")
    static let thirdPartyAuth = fcm(401, "Auth error from APNS or Web Push Service", "THIRD_PARTY_AUTH_ERROR")
    static let invalidArgument = fcm(400, badArgument, "INVALID_ARGUMENT")

    static func fcm(_ code: Int, _ message: String, _ name: String) -> GoogleError {
        GoogleError(code, message, [.fcmError(name)], rule: "fcm.\(name)")
    }

    /// Several violations in one answer, in the form of a conversion error. Google has no such check; this is ours.
    static func media(_ violations: [Violation], rule: String) -> GoogleError {
        GoogleError(
            400, violations.map(\.description).joined(separator: "\n"),
            [.badRequest(violations), .fcmError("INVALID_ARGUMENT")], rule: rule)
    }

    static func argument(_ message: String, _ field: String, rule: String, remedy: String? = nil) -> GoogleError {
        GoogleError(
            400, message,
            [
                .badRequest([Violation(field: field, description: message, remedy: remedy)]),
                .fcmError("INVALID_ARGUMENT"),
            ], rule: rule)
    }
}

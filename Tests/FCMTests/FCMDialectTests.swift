import HTTPCore
import JSON
import PushCore
import Testing

@testable import FCM

/// The decisions about messages: what is accepted, what is refused, and for which device a message is.
@Suite struct FCMDialectTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let message: String
        let status: Int
        var reason: String?
        var rule: String?
        var testDescription: String { message }
    }

    static let rows = [
        Row(message: #"{"topic":"news"}"#, status: 200),
        Row(message: #"{"token":"\#(FCMCase.token)"}"#, status: 200),
        Row(message: #"{"token":"\#(FCMCase.installation)"}"#, status: 200),
        Row(message: #"{"fid":"\#(FCMCase.installation)"}"#, status: 200),
        Row(message: #"{"condition":"'a' in topics"}"#, status: 200),
        Row(message: #"{"data":{"a":"b"}}"#, status: 400, reason: "INVALID_ARGUMENT", rule: "fcm.no-target"),
        Row(message: #"{"token":"short"}"#, status: 400, reason: "INVALID_ARGUMENT", rule: "fcm.token-malformed"),
        Row(message: #"{"fid":"short"}"#, status: 404, reason: "UNREGISTERED", rule: "fcm.UNREGISTERED"),
        Row(message: #"{"topic":"/topics/a"}"#, status: 400, reason: "INVALID_ARGUMENT", rule: "fcm.topic-name"),
        Row(message: #"{"condition":"'a' in topic"}"#, status: 400, reason: "INVALID_ARGUMENT", rule: "fcm.condition"),
        Row(message: #"{"topic":"a","x":1}"#, status: 400, reason: "INVALID_ARGUMENT", rule: "fcm.conversion"),
        Row(
            message: #"{"topic":"a","android":{},"android_v2":{"background_sync":{}}}"#, status: 400,
            reason: "INVALID_ARGUMENT", rule: "fcm.android-twice"),
    ]

    @Test(arguments: rows) func `each message gets its verdict`(row: Row) {
        var sender = FCMSender()
        let decision = sender.post(#"{"message":\#(row.message)}"#)
        #expect(decision.status == row.status)
        #expect(decision.reason == row.reason)
        #expect(decision.rule == row.rule)
        #expect((decision.delivery != nil) == (row.status == 200))
    }

    @Test(arguments: ["", "{}", #"{"message":null}"#, #"{"message":{}}"#])
    func `a body without a target is refused`(body: String) {
        var sender = FCMSender()
        #expect(sender.post(body).rule == "fcm.no-target")
    }

    @Test func `a body over the limit is refused as too large`() {
        var (sender, request) = (FCMSender(), FCMCase.send("{"))
        request.bodyIsOverLimit = true
        #expect(sender.post(request).rule == "fcm.too-large")
    }

    @Test func `invalid JSON is refused with the text around the fault`() {
        var sender = FCMSender()
        let decision = sender.post(#"{"message":{"topic":"a"}"#)
        #expect(decision.rule == "fcm.not-json")
        #expect(decision.response.text.contains("Invalid JSON payload received. Unexpected end of string."))
    }

    @Test func `a dry run is answered but not delivered`() {
        var sender = FCMSender()
        let dry = sender.post(#"{"message":{"token":"\#(FCMCase.token)"},"validateOnly":true}"#)
        #expect(dry.status == 200)
        #expect(dry.name == "fake_message_id")
        #expect(dry.delivery == nil)
        #expect(sender.post(#"{"message":{"topic":"a"},"validate_only":false}"#).delivery != nil)
    }

    @Test(arguments: [
        (FCMRegistration.Platform.android, #"^0:1790000000000\d{3}%[0-9a-f]{8}f9fd7ecd$"#),
        (.apple, #"^1790000000000\d{3}$"#),
        (.web, #"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"#),
    ]) func `the message id shows the platform of a known device`(platform: FCMRegistration.Platform, pattern: String)
        throws
    {
        var sender = FCMSender()
        sender.registrations[FCMCase.token] = FCMRegistration(
            slot: 7, platform: platform, isUnregistered: false, project: FCMCase.project)
        let decision = sender.post(#"{"message":{"token":"\#(FCMCase.token)","data":{"a":"b"}}}"#)
        #expect(decision.slot == 7)
        #expect(try #require(decision.name).contains(Regex(pattern)))
    }

    @Test(arguments: [
        (true, "demo", 404, "UNREGISTERED"), (false, "other", 403, "SENDER_ID_MISMATCH"),
    ]) func `a known device can refuse a message`(isUnregistered: Bool, project: String, status: Int, reason: String) {
        var sender = FCMSender()
        sender.registrations[FCMCase.token] = FCMRegistration(
            slot: 0, platform: .android, isUnregistered: isUnregistered, project: project)
        let decision = sender.post(#"{"message":{"token":"\#(FCMCase.token)"}}"#)
        #expect(decision.status == status)
        #expect(decision.reason == reason)
        #expect(decision.delivery == nil)
        let projects = "The token was made for the project 'other', and the message was sent in '\(FCMCase.project)'."
        #expect((decision.explanation == projects) == (status == 403))
    }

    @Test func `a message for another package is refused, in a dry run too`() throws {
        var sender = FCMSender()
        sender.registrations[FCMCase.token] = FCMRegistration(
            slot: 0, platform: .android, isUnregistered: false, isOtherPackage: true, project: nil)
        for suffix in ["", #","validate_only":true"#] {
            let decision = sender.post(
                #"{"message":{"token":"\#(FCMCase.token)","android":{"restricted_package_name":"x"}}\#(suffix)}"#)
            #expect(decision.status == 400)
            #expect(decision.reason == "INVALID_ARGUMENT")
            #expect(decision.rule == "fcm.other-package")
            #expect(
                decision.explanation
                    == "message.android.restricted_package_name is 'x'. Set restricted_package_name to the package name of the app, or omit it."
            )
            #expect(decision.delivery == nil)
        }
    }

    @Test(arguments: [#"{"token":"\#(FCMCase.token)"}"#, #"{"fid":"\#(FCMCase.installation)"}"#])
    func `unknown devices are refused if the policy says so`(message: String) {
        var sender = FCMSender(FCMPolicy(acceptsUnknownDevices: false))
        let decision = sender.post(#"{"message":\#(message)}"#)
        #expect(decision.reason == "UNREGISTERED")
        #expect(decision.explanation?.contains("--unknown-devices reject") == true)
        #expect(sender.post(#"{"message":{"topic":"news"}}"#).status == 200)
    }

    static let magic: [(word: String, status: Int, reason: String, apple: (Int, String))] = [
        ("unregistered", 404, "UNREGISTERED", (410, "Unregistered")),
        ("sender-id-mismatch", 403, "SENDER_ID_MISMATCH", (400, "DeviceTokenNotForTopic")),
        ("quota-exceeded", 429, "QUOTA_EXCEEDED", (429, "TooManyRequests")),
        ("unavailable", 503, "UNAVAILABLE", (503, "ServiceUnavailable")),
        ("internal", 500, "INTERNAL", (500, "InternalServerError")),
        ("invalid-argument", 400, "INVALID_ARGUMENT", (400, "DeviceTokenNotForTopic")),
        ("third-party-auth-error", 401, "THIRD_PARTY_AUTH_ERROR", (403, "InvalidProviderToken")),
    ]

    @Test(arguments: magic.indices) func `a magic token requests its error`(row: Int) throws {
        let (word, status, reason, apple) = Self.magic[row]
        for suffix in ["", ".apns"] {
            var sender = FCMSender()
            // The message breaks a rule too, but the token comes first.
            let decision = sender.post(
                #"{"message":{"token":"\#(word)\#(suffix):x","data":{"from":"y"}}}"#)
            #expect(decision.status == status)
            #expect(decision.reason == reason)
            let details = try FCMCase.document(decision.response.text).root["error"]?["details"]
            let last = details?[(details?.count ?? 0) - 1]
            #expect(last?["statusCode"]?.int == (suffix.isEmpty ? nil : apple.0))
            #expect(last?["reason"]?.string == (suffix.isEmpty ? nil : apple.1))
        }
    }

    @Test(arguments: ["unregistered", "Unregistered:x", "unregistered.fcm:x", "unknown:x", ".apns:x", ":x"])
    func `other tokens are not magic`(token: String) { #expect(FCMMagicToken.error(token) == nil) }

    @Test func `a repeated request gives the same verdict and findings`() {
        var sender = FCMSender()
        let bodies = [
            #"{"message":{"topic":"a","notification":{"title":"x"},"android":{"collapse_key":"k"}}}"#,
            #"{"message":{"topic":"b","webpush":{"headers":{"image":"x"}}}}"#,
        ]
        for body in bodies + bodies.reversed() {
            let (first, second) = (sender.post(body), sender.post(body))
            #expect(first.findings == second.findings && first.findings.count == 2)
            #expect(first.status == 200 && second.status == 200)
            #expect(first.name != second.name)
        }
    }

    @Test func `a refusal for quota replaces an acceptance`() {
        var sender = FCMSender()
        let request = FCMCase.send(#"{"message":{"topic":"news"}}"#)
        let call = FCMDialect.Call(request, project: "demo", at: FCMCase.now)
        var outcome = FCMDialect(FCMPolicy()).decide(
            call, BearerBook(), &sender.memo, known: { _, _ in nil },
            using: &sender.random)
        outcome.refuse(.project("demo"), because: "it is too fast", to: call, FCMPolicy())
        let decision = Decision(outcome)
        #expect(decision.status == 429)
        #expect(decision.reason == "RESOURCE_EXHAUSTED")
        #expect(decision.delivery == nil)
        #expect(decision.response.text.contains("for consumer 'project_number:demo'"))
    }

    @Test(arguments: [
        (#"{"topic":"t","notification":{"image":"https://a.example/b.png"}}"#, true),
        (#"{"token":"\#(FCMCase.token)","notification":{"image":"https://a.example/b.png"}}"#, false),
        (#"{"topic":"t","notification":{"image":""}}"#, false),
        (
            #"{"topic":"t","notification":{"image":"https://a.example/b.png"},"apns":{"payload":{"aps":{"mutable-content":1}}}}"#,
            false
        ),
    ]) func `an image that an iPhone can't show is noted`(message: String, isNoted: Bool) {
        var sender = FCMSender()
        let decision = sender.post(#"{"message":\#(message)}"#)
        #expect(decision.status == 200)
        #expect(decision.findings.contains("fcm.image-without-mutable-content") == isNoted)
    }
}

import JSON
import PushCore
import Testing

@testable import FCM

/// The checks of values after conversion: each field rule, the size limits and the media rules.
@Suite struct FCMValidationTests {
    /// The rule that refuses a message to a topic; nil if it is accepted.
    private func refusal(_ members: String, policy: FCMPolicy = FCMPolicy()) -> String? {
        var sender = FCMSender(policy)
        return sender.post(#"{"message":{"topic":"t",\#(members)}}"#).rule
    }

    static let fields: [(rule: String, path: String, good: [String], bad: [String])] = [
        (
            "fcm.ttl", #""android":{"ttl":VALUE}"#, ["\"0s\"", "\"2419200s\"", "\"1.5s\"", "\"2419200.5s\""],
            ["\"-1s\"", "\"2419201s\"", "\"-0.5s\""]
        ),
        (
            "fcm.color", #""android":{"notification":{"color":VALUE}}"#, ["\"#aabbcc\"", "\"#AABB09\"", "\"\""],
            ["\"aabbcc\"", "\"#abc\"", "\"#aabbcg\"", "\" \"", "\"#aabbcc0\""]
        ),
        (
            "fcm.analytics-label", #""fcm_options":{"analytics_label":VALUE}"#,
            ["\"\"", "\"a-b_c.~%9\"", "\"\(String(repeating: "a", count: 50))\""],
            ["\" \"", "\"a b\"", "\"ü\"", "\"\(String(repeating: "a", count: 51))\""]
        ),
        (
            "fcm.vibrate-timings", #""android":{"notification":{"vibrate_timings":VALUE}}"#,
            ["[]", "[\"0s\",\"1s\"]", "\"2s\""], ["[\"1s\",\"-1s\"]", "\"-0.1s\""]
        ),
        (
            "fcm.light-settings", #""android":{"notification":{"light_settings":VALUE}}"#,
            [#"{"color":{},"light_on_duration":"1s","light_off_duration":"1s"}"#],
            ["{}", #"{"color":{},"light_on_duration":"1s"}"#, #"{"light_on_duration":"1s","light_off_duration":"1s"}"#]
        ),
        (
            "fcm.android-kind", #""android_v2":VALUE"#,
            [#"{"background_sync":{}}"#, #"{"remote_notification":{}}"#],
            ["{}", #"{"background_sync":{},"remote_notification":{}}"#, #"{"ttl":"5s"}"#]
        ),
        (
            "fcm.image-https", #""android_v2":{"remote_notification":{"notification":{"image":VALUE}}}"#,
            ["\"https://a.example/b.png\"", "\"HTTPS://a.example/b.png\"", "\"\""],
            ["\"http://a.example/b.png\"", "\" \""]
        ),
        (
            "fcm.webpush-ttl", #""webpush":{"headers":VALUE}"#, [#"{"TTL":"0"}"#, #"{"ttl":"60","x":"y"}"#],
            [#"{"TTL":"-1"}"#, #"{"Ttl":"1.5"}"#, #"{"TTL":""}"#]
        ),
        ("fcm.aps-missing", #""apns":{"payload":VALUE}"#, [#"{"aps":{"alert":"x"}}"#], ["{}", #"{"aps":1}"#]),
        ("fcm.aps-empty", #""apns":{"payload":{"aps":VALUE}}"#, [#"{"badge":0}"#], ["{}"]),
    ]

    @Test(arguments: fields.indices) func `a field rule accepts and refuses values`(row: Int) {
        let (rule, path, good, bad) = Self.fields[row]
        func members(_ value: String) -> String {
            let parts = path.split(separator: "VALUE", omittingEmptySubsequences: false)
            return parts.joined(separator: value)
        }
        for value in good { #expect(refusal(members(value)) == nil, "\(rule): \(value)") }
        for value in bad { #expect(refusal(members(value)) == rule, "\(rule): \(value)") }
    }

    @Test(arguments: ["from", "message_type", "gcm", "google", "google.a", "googlex", "gcm.notification.title"])
    func `a reserved key of data is refused on every platform`(key: String) {
        for holder in [#""data":DATA"#, #""android":{"data":DATA}"#, #""webpush":{"data":DATA}"#] {
            let members = holder.split(separator: "DATA", omittingEmptySubsequences: false)
                .joined(separator: #"{"ok":"1","\#(key)":"x"}"#)
            #expect(refusal(members) == "fcm.reserved-key", "\(members)")
        }
    }

    @Test(arguments: ["gcm.a", "goog", "From", "collapse_key"])
    func `keys that look similar are accepted`(key: String) { #expect(refusal(#""data":{"\#(key)":"x"}"#) == nil) }

    @Test(arguments: [
        (#"{"badge":"1"}"#, "Value type for APS key [badge] is a number."),
        (#"{"content-available":true}"#, "Value type for APS key [content-available] is a number."),
        (#"{"alert":{"title":1}}"#, "Value type for APS key [title] is a String."),
        (#"{"thread-id":5}"#, "Value type for APS key [thread-id] is a String."),
        (#"{"alert":5}"#, "Request contains an invalid argument."),
        (#"{"sound":[]}"#, "Request contains an invalid argument."),
    ]) func `a key of aps with a wrong type is refused`(aps: String, text: String) {
        var sender = FCMSender()
        let decision = sender.post(#"{"message":{"topic":"t","apns":{"payload":{"aps":\#(aps)}}}}"#)
        #expect(decision.rule == "fcm.aps-type")
        #expect(decision.response.text.contains(text))
    }

    @Test(arguments: [
        #"{"alert":null,"badge":null,"category":null}"#,
        #"{"alert":{"title":"x","loc-args":[1]},"sound":{"critical":1}}"#,
        #"{"badge":-1.5}"#, #"{"unknown":[1]}"#,
    ]) func `null, other numbers and unknown keys of aps are accepted`(aps: String) {
        #expect(refusal(#""apns":{"payload":{"aps":\#(aps)}}"#) == nil)
    }

    static let media: [(members: String, rule: String?)] = [
        (#""apns":{"fcm_options":{"image":"https://a.example/b.png"},"payload":{"aps":{"mutable-content":1}}}"#, nil),
        (#""apns":{"fcm_options":{"image":"https://a.example/b.png"}}"#, "media.needs-mutable-content"),
        (
            #""apns":{"payload":{"aps":{"alert":"x"},"media-attachment-url":"https://a.example/b.png"}}"#,
            "media.needs-mutable-content"
        ),
        (#""apns":{"payload":{"aps":{"mutable-content":2}}}"#, "aps.mutable-content-not-1"),
        (#""apns":{"payload":{"aps":{"mutable-content":0}}}"#, nil),
        (
            #""apns":{"payload":{"aps":{"mutable-content":1},"media-attachment-url":"b.png"}}"#,
            "media.not-an-absolute-url"
        ),
        (
            #""apns":{"payload":{"aps":{"mutable-content":1},"media-attachment-url":"https://a.example/b"}}"#,
            "media.no-file-extension"
        ),
        (
            #""apns":{"payload":{"aps":{"mutable-content":1},"fcm_options":{"image":"https://a.example/b.webp"}}}"#,
            "media.unknown-file-extension"
        ),
        (#""apns":{"payload":{"aps":{"alert":"x"},"media-attachment-url":null}}"#, nil),
        (#""apns":{"payload":{"aps":{"mutable-content":null}}}"#, nil),
        (#""apns":{"fcm_options":{"image":""},"payload":{"aps":{"alert":"x"},"media-attachment-url":""}}"#, nil),
        (#""apns":{"payload":{"aps":{"alert":"x"},"fcm_options":{"image":""}}}"#, nil),
    ]

    @Test(arguments: media.indices) func `strict refuses a media fault, service notes it`(row: Int) {
        let (members, rule) = Self.media[row]
        #expect(refusal(members) == rule, "\(members)")
        var service = FCMSender(FCMPolicy(isStrict: false))
        let decision = service.post(#"{"message":{"topic":"t",\#(members)}}"#)
        #expect(decision.status == 200)
        #expect(decision.findings.contains(rule ?? "") == (rule != nil), "\(members)")
    }

    @Test func `all media faults are in one answer`() throws {
        var sender = FCMSender()
        let decision = sender.post(
            #"{"message":{"topic":"t","apns":{"payload":{"aps":{"alert":"x"},"media-attachment-url":"b"}}}}"#)
        let error = try FCMCase.document(decision.response.text).root["error"]
        #expect(error?["message"]?.string?.split(separator: "\n").count == 2)
        #expect(error?["details"]?[0]?["fieldViolations"]?.count == 2)
        #expect(decision.findings == ["auth.unknown-bearer"])
    }

    static let choices: [(FCMChoice, members: String, standard: String?, other: String?)] = [
        (.emptyAps, #""topic":"t","apns":{"payload":{"aps":{}}}"#, "fcm.aps-empty", nil),
        (.topicPrefix, #""topic":"/topics/t""#, "fcm.topic-name", nil),
        (.topicSize, #""topic":"t","data":{"k":"\#(String(repeating: "x", count: 4100))"}"#, nil, "fcm.too-large"),
        (
            .tokenSize, #""token":"\#(FCMCase.token)","data":{"k":"\#(String(repeating: "x", count: 4100))"}"#, nil,
            "fcm.too-large"
        ),
        (.silentForApple, #""topic":"t","apns":{"payload":{"aps":{"category":"x"}}}"#, nil, "fcm.silent-for-apple"),
    ]

    @Test(arguments: choices.indices) func `a choice selects the other answer`(row: Int) {
        let (choice, members, standard, other) = Self.choices[row]
        for isChosen in [false, true] {
            var sender = FCMSender(FCMPolicy(choices: isChosen ? [choice] : []))
            let rule = sender.post(#"{"message":{\#(members)}}"#).rule
            #expect(rule == (isChosen ? other : standard), "\(choice)")
        }
    }

    @Test func `every choice has two different values and a meaning`() {
        for choice in FCMChoice.allCases {
            #expect(choice.values.standard != choice.values.other)
            #expect(!choice.meaning.isEmpty)
        }
    }
}

import PushCore
import Testing

@testable import FCM

// Over 200 lines: a table with a row for each mistake.

/// The findings about messages that Google accepts.
@Suite struct FCMLintsTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let message: String
        var findings: [String] = []
        var testDescription: String { message }
    }

    static let rows = [
        Row(message: #"{"notification":{"title":"x"}}"#),
        Row(message: #"{"notification":{"image":"https://a.example/b.png"}}"#, findings: []),
        Row(
            message:
                #"{"notification":{"title":"x","image":""},"android":{"notification":{"image":""}},"apns":{"fcm_options":{"image":""}}}"#,
            findings: [
                "/message/notification/image media.empty-url note",
                "/message/android/notification/image media.empty-url note",
                "/message/apns/fcm_options/image media.empty-url note",
            ]),
        Row(
            message: #"{"notification":{"image":"https://a.example/b"}}"#,
            findings: ["/message/notification/image fcm.image-extension warning"]),
        Row(
            message: #"{"notification":{"image":"http://a.example/b.png"}}"#,
            findings: ["/message/notification/image media.http warning"]),
        Row(
            message: #"{"android":{"notification":{"image":"HTTP://localhost/b.png"}}}"#,
            findings: [
                "/message/android/notification/image fcm.image-localhost warning",
                "/message/android/notification/image media.http warning",
            ]),
        Row(
            message:
                #"{"notification":{"title":"x"},"apns":{"fcm_options":{"image":"http://a.example/b"},"payload":{"fcm_options":{"image":"http:b"},"media-attachment-url":"http://a.example"}}}"#,
            findings: [
                "/message/apns/fcm_options/image media.http warning",
                "/message/apns/payload/media-attachment-url media.http warning",
            ]),
        Row(
            message: #"{"android":{"data":{"media-attachment-url":"http://a.example/b.png"}}}"#,
            findings: [
                "/message/android/data/media-attachment-url media.http warning",
                "/message/android/data/media-attachment-url fcm.media-in-data warning",
            ]),
        Row(
            message: #"{"webpush":{"notification":{"image":"https://localhost/b.png"}}}"#,
            findings: ["/message/webpush/notification/image fcm.image-localhost warning"]),
        Row(
            message: #"{"notification":{"title":"x"},"apns":{"payload":{"image-url":"https://a.example/b.png"}}}"#,
            findings: ["/message/apns/payload/image-url media.unread-key note"]),
        Row(
            message: #"{"android":{"notification":{"image":"x"}}}"#,
            findings: ["/message/android/notification/image fcm.image-not-absolute warning"]),
        Row(
            message: #"{"notification":{"image":"https:///b.png"}}"#,
            findings: ["/message/notification/image fcm.image-not-absolute warning"]),
        Row(
            message: #"{"notification":{"image":"//a.example/b.png"}}"#,
            findings: ["/message/notification/image fcm.image-not-absolute warning"]),
        Row(
            message: #"{"data":{"media-attachment-url":"https://a.example/b.png"}}"#,
            findings: ["/message/data/media-attachment-url fcm.media-in-data warning"]),
        Row(
            message: #"{"android":{"data":{"fcm_options":"x"}}}"#,
            findings: ["/message/android/data/fcm_options fcm.media-in-data warning"]),
        Row(
            message: #"{"data":{"mutable-content":"1"}}"#,
            findings: ["/message/data/mutable-content fcm.mutable-content-misplaced warning"]),
        Row(
            message: #"{"notification":{"title":"x"},"apns":{"headers":{"Mutable_Content":"1"}}}"#,
            findings: ["/message/apns/headers/Mutable_Content fcm.mutable-content-misplaced warning"]),
        Row(
            message:
                #"{"notification":{"title":"x"},"apns":{"headers":{"Apns-Priority":"5","apns-prority":"5","apns_topic":"a"}}}"#,
            findings: ["apns-prority", "apns_topic"].map {
                "/message/apns/headers/\($0) fcm.misspelled-key warning"
            }),
        Row(
            message: #"{"webpush":{"notification":{"icon":"https://localhost/i.png"}}}"#,
            findings: ["/message/webpush/notification/icon fcm.image-localhost warning"]),
        Row(
            message: #"{"webpush":{"headers":{"Image":"x"}}}"#,
            findings: ["/message/webpush/headers/Image fcm.webpush-image warning"]),
        Row(
            message: #"{"notification":{"title":"x"},"android":{"collapse_key":"k"}}"#,
            findings: ["/message/android/collapse_key fcm.collapse-key-ignored note"]),
        Row(message: #"{"data":{"a":"b"},"android":{"collapse_key":"k"}}"#),
        Row(
            message: #"{"data":{"_mId":"h1684a9"},"android":{"collapse_key":"1475753"}}"#,
            findings: ["/message/android/collapse_key fcm.collapse-key-per-message note"]),
        Row(message: #"{"data":{"_mId":"h1684a9"},"android":{"collapse_key":"1475754"}}"#),
        Row(
            message: #"{"data":{"a":"b"},"android":{"priority":"high"}}"#,
            findings: ["/message/android/priority fcm.high-priority-data note"]),
        Row(message: #"{"data":{"a":"b"},"android":{"priority":"normal"}}"#),
        Row(message: #"{"notification":{"title":"x"},"android":{"priority":"high"}}"#),
        Row(
            message: #"{"apns":{"payload":{"aps":{"content-available":1}}}}"#,
            findings: ["/message/apns fcm.silent-for-apple warning"]),
        Row(
            message: #"{"apns":{"headers":{"apns-priority":"5"},"payload":{"aps":{"category":"x"}}}}"#,
            findings: ["/message/apns fcm.silent-for-apple warning"]),
        Row(message: #"{"apns":{"headers":{"Apns-Priority":"5"},"payload":{"aps":{"content-available":1}}}}"#),
        Row(message: #"{"apns":{"payload":{"aps":{"badge":1}}}}"#),
        Row(
            message: #"{"apns":{"payload":{"aps":{"alert":null,"badge":null}}}}"#,
            findings: ["/message/apns fcm.silent-for-apple warning"]),
        Row(message: #"{"apns":{"payload":{"aps":{"event":"update"}}}}"#),
        Row(
            message: #"{"apns":{"payload":{"aps":{"alert":"x","mutable_content":1,"content_available":1}}}}"#,
            findings: [
                "/message/apns/payload/aps/mutable_content fcm.misspelled-key warning",
                "/message/apns/payload/aps/content_available fcm.misspelled-key warning",
            ]),
        Row(
            message: #"{"apns":{"payload":{"aps":{"alert":"x"},"fcm_option":{},"own":1}}}"#,
            findings: ["/message/apns/payload/fcm_option fcm.misspelled-key warning"]),
        Row(
            message: #"{"webpush":{"notification":{"imageUrl":"https://a.example/b.png"}}}"#,
            findings: ["/message/webpush/notification/imageUrl fcm.misspelled-key warning"]),
        Row(
            message:
                #"{"apns":{"payload":{"aps":{"alert":"x"},"mutable_content":1,"mutable-content":1,"contentAvailable":1,"alert":"x"}}}"#,
            findings: ["mutable_content", "mutable-content", "contentAvailable"].map {
                "/message/apns/payload/\($0) payload.mutable-content-beside-aps warning"
            }),
        Row(
            message: #"{"apns":{"payload":{"aps":{"badge":1},"alert":"x"}}}"#,
            findings: ["/message/apns/payload/alert payload.alert-beside-aps warning"]),
        Row(message: #"{"notification":{"title":"x"},"apns":{"payload":{"aps":{"badge":1},"alert":"x"}}}"#),
        Row(
            message:
                #"{"apns":{"headers":{"apns-priority":"5"},"payload":{"aps":{"content-available":1},"alert":"x"}}}"#),
        Row(message: #"{"apns":{"live_activity_token":"ab","payload":{"aps":{"event":"end"},"alert":"x"}}}"#),
        Row(
            message: #"{"apns":{"headers":{"Apns-Push-Type":"widgets"},"payload":{"aps":{"badge":1},"alert":"x"}}}"#),
        Row(
            message: #"{"data":{"content_available":"1","mutableContent":"1"}}"#,
            findings: ["content_available", "mutableContent"].map {
                "/message/data/\($0) fcm.mutable-content-misplaced warning"
            }),
        Row(
            message: #"{"notification":{"title":"x"},"apns":{"headers":{"content-available":"1"}}}"#,
            findings: ["/message/apns/headers/content-available fcm.mutable-content-misplaced warning"]),
        Row(
            message: #"{"data":{"media-attachment-url":""},"webpush":{"notification":{"image":""}}}"#,
            findings: [
                "/message/webpush/notification/image media.empty-url note",
                "/message/data/media-attachment-url media.empty-url note",
            ]),
        Row(
            message:
                #"{"apns":{"payload":{"aps":{"alert":"x"},"fcm_options":{"image":""},"media-attachment-url":""}}}"#,
            findings: [
                "/message/apns/payload/fcm_options/image media.empty-url note",
                "/message/apns/payload/media-attachment-url media.empty-url note",
            ]),
        Row(
            message: #"{"data":{"image":"https://a.example/b.png","url":"https://a.example"}}"#,
            findings: ["/message/data/image fcm.image-in-data note"]),
        Row(message: #"{"data":{"image":"b.png"}}"#),
        Row(
            message: #"{"notification":{"image":"http://localhost/b.png"}}"#,
            findings: [
                "/message/notification/image fcm.image-localhost warning",
                "/message/notification/image media.http warning",
            ]),
        Row(
            message:
                #"{"apns":{"fcm_options":{"image":"https://127.0.0.1/b.png"},"payload":{"aps":{"alert":"x"}}}}"#,
            findings: ["/message/apns/fcm_options/image fcm.image-localhost warning"]),
    ]

    private func findings(_ message: String) throws -> [Finding] {
        let document = try FCMCase.document(#"{"message":\#(message)}"#)
        let view = try #require(ProtoCheck(document, as: .sendMessageRequest).view?.message(.message))
        return FCMLints(view).findings
    }

    @Test(arguments: rows) func `each message has its findings`(row: Row) throws {
        let found = try findings(row.message).map { "\($0.path) \($0.rule) \($0.severity.rawValue)" }
        #expect(found == row.findings)
    }

    @Test func `every finding is a sentence, and its rule is in the table`() throws {
        // Some rules about media are those of both services.
        let known = Set(FCMRules.all.map(\.id)).union(
            [
                "media.http", "media.unread-key", "media.empty-url", "payload.mutable-content-beside-aps",
                "payload.alert-beside-aps",
            ].map(RuleID.init))
        for row in Self.rows {
            for finding in try findings(row.message) {
                #expect(finding.message.hasSuffix("."))
                #expect(known.contains(finding.rule))
            }
        }
    }

    @Test(arguments: [
        (#"{"apns":{"fcm_options":{"image":"http://a.example/b.png"}}}"#, "an iPhone from fetching it."),
        (#"{"android":{"notification":{"image":"http://a.example/b.png"}}}"#, "On Android 9 and later"),
        (#"{"notification":{"image":"http://a.example/b.png"}}"#, "An iPhone, and an app on Android 9 or later"),
    ])
    func `a finding about http names the platform that does not fetch the file`(message: String, text: String) throws {
        let found = try findings(message).filter { $0.rule == RuleID("media.http") }
        #expect(found.count == 1 && found[0].message.contains(text), "\(found)")
    }

    @Test func `a URL in a finding is shortened`() throws {
        let found = try findings(#"{"notification":{"image":"\#(String(repeating: "x", count: 5000))"}}"#)
        #expect(found.count == 1)
        #expect(found.allSatisfy { $0.message.utf8.count < 300 })
    }

    @Test func `a message has at most fifty findings`() throws {
        let headers = (0..<100).map { index in
            // Spellings of one name in different cases.
            let name = "mutable-content".enumerated().map { place, letter in
                index >> place & 1 == 1 ? letter.uppercased() : String(letter)
            }.joined()
            return #""\#(name)":"1""#
        }
        let message = #"{"notification":{"title":"x"},"apns":{"headers":{\#(headers.joined(separator: ","))}}}"#
        #expect(try findings(message).count == 50)
    }
}

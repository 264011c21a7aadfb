import HTTPCore
import PushCore
import Testing

@testable import APNs

/// What the log says about refused calls to the channel API, and about misspelled header fields.
@Suite struct BroadcastCauseTests {
    static let calls: [(String, String, [(String, String)], String, String)] = [
        ("GET", "/1/apps/a/x", [], "", "No call has the method GET and the path '/1/apps/a/x'."),
        (
            "DELETE", "/1/apps/a/channels", [("apns-channel-id", String(repeating: "A", count: 22) + "==")], "",
            "The app a has no channel with the id 'AAAAAAAAAAAAAAAAAAAAAA=='."
        ),
        (
            "POST", "/1/apps/a/channels", [("apns-request-id", "7")], "{}",
            "apns-request-id is '7', which is not a UUID."
        ),
        ("POST", "/1/apps/a/channels", [], #"{"x":1}"#, "The body has the unknown member 'x'."),
        (
            "POST", "/1/apps/a/channels", [], #"{"message-storage-policy":"1"}"#,
            #"message-storage-policy is "1", but must be the number 0 or 1."#
        ),
        (
            "POST", "/1/apps/a/channels", [], #"{"message-storage-policy":1}"#,
            "push-type is missing, but must be LiveActivity."
        ),
        (
            "POST", "/1/apps/a/channels", [], #"{"message-storage-policy":1,"push-type":"alert"}"#,
            #"push-type is "alert", but must be LiveActivity."#
        ),
    ]

    @Test(arguments: calls) func `a refused call about channels names the wrong value`(
        row: (method: String, path: String, fields: [(String, String)], body: String, cause: String)
    ) {
        var (session, channels, random) = (APNsSession(), ChannelRegistry(), Random(seed: 1))
        let request = PushSample {
            $0.method = row.method
            $0.path = row.path
            $0.topic = nil
            $0.more = row.fields
            $0.body = row.body
        }.request
        let ids = IDGenerator(using: &random)
        let outcome = BroadcastDialect(PushSample.policy(), verify: { $2 == [1] }).decide(
            PushContext(request, id: PushID(1), at: PushSample.now), &session, &channels, ids, using: &random)
        #expect(outcome.refusal?.sentence == row.cause)
        #expect(outcome.findings.last?.message == row.cause)
    }

    @Test(arguments: [
        ("apns-topci", "apns-topic"), ("apns-push-typ", "apns-push-type"), ("apns-prioritx", "apns-priority"),
    ])
    func `a misspelled field is a finding, also of a push that is refused for it`(
        name: String, guess: String
    ) {
        for topic in ["com.example.app", nil] {
            let sample = PushSample {
                $0.topic = topic
                $0.more = [(name, "com.example.app")]
            }
            #expect(sample.verdict().reason == (topic == nil ? .missingTopic : nil))
            #expect(sample.verdict().findings.contains("apns.misspelled-field"))
        }
        let finding = MisspelledField.findings(in: HeaderBlock([HeaderName(name): "x"])).first
        #expect(finding?.message == "Did you mean '\(guess)'? Apple ignores the field '\(name)'.")
        #expect(finding?.path == "headers/\(name)")
    }

    @Test(arguments: ["apns-channel-id", "apns-request-id", "apns-other", "x-apns-topci"])
    func `other fields are no findings`(name: String) {
        #expect(MisspelledField.findings(in: HeaderBlock([HeaderName(name): "x"])).isEmpty)
    }
}

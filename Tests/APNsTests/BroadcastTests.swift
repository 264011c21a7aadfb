import HTTPCore
import PushCore
import Testing

@testable import APNs

/// Channels and broadcasts (docs/evidence/apns.md §7), one row for each case.
@Suite struct BroadcastTests {
    private static let channels = "/1/apps/com.example.app/channels"
    private static let all = "/1/apps/com.example.app/all-channels"
    private static let broadcast = "/4/broadcasts/apps/com.example.app"
    private static let creation = #"{"message-storage-policy":1,"push-type":"LiveActivity"}"#
    private static let update = #"{"aps":{"event":"update","timestamp":1,"content-state":{}}}"#

    /// The state of a gateway, as far as broadcasts need it.
    struct GatewayState {
        var session = APNsSession()
        var registry = ChannelRegistry()
        var calls: UInt64 = 0
        let ids: IDGenerator = {
            var random = Random(seed: 9)
            return IDGenerator(using: &random)
        }()
        var random = Random(seed: 3)
        var policy = PushSample.policy()

        mutating func call(
            _ method: String, _ path: String, _ fields: [(String, String)] = [], body: String = "",
            bearer: String? = "bearer \(PushSample.token())", in environment: PushEnvironment = .production
        ) -> (status: Int, reason: String?, fields: HeaderBlock, body: String) {
            let request = PushSample {
                $0.method = method
                $0.path = path
                $0.topic = nil
                $0.authorization = bearer
                $0.more = fields
                $0.body = body
                $0.isOverLimit = body.utf8.count > BroadcastDialect.payloadLimit
            }.request
            calls += 1
            let outcome = BroadcastDialect(policy, verify: { $2 == [1] }).decide(
                PushContext(request, id: PushID(calls), in: environment, at: PushSample.now), &session, &registry,
                ids, using: &random)
            var text = ""
            if case .bytes(let bytes) = outcome.response.body { text = String(decoding: bytes, as: UTF8.self) }
            return (outcome.response.status, outcome.refusal?.reason.word, outcome.response.headers, text)
        }

        mutating func makeChannel(policy: Int = 1, in environment: PushEnvironment = .production) -> String {
            let made = call(
                "POST", BroadcastTests.channels,
                body: #"{"message-storage-policy":\#(policy),"push-type":"liveactivity"}"#,
                in: environment)
            return made.fields.first(.apnsChannelID).map { String(decoding: $0, as: UTF8.self) } ?? ""
        }
    }

    @Test func `a broadcast can't start a Live Activity`() {
        let body =
            #"{"aps":{"event":"start","timestamp":1,"content-state":{},"attributes-type":"A","attributes":{},"alert":"x"}}"#
        for (validation, status) in [(APNsPolicy.Validation.strict, 400), (.service, 200)] {
            var state = GatewayState()
            state.policy.validation = validation
            let channel = state.makeChannel()
            let answer = state.call(
                "POST", Self.broadcast,
                [("apns-channel-id", channel), ("apns-push-type", "liveactivity"), ("apns-expiration", "0")], body: body
            )
            #expect(answer.status == status)
            #expect(answer.body.contains("live-activity.broadcast-start") == (status == 400))
        }
    }

    @Test func `a channel can be created, read, listed and deleted`() {
        var state = GatewayState()
        let made = state.call("POST", Self.channels, body: Self.creation)
        #expect((made.status, made.body) == (201, ""))
        let id = String(decoding: made.fields.first(.apnsChannelID) ?? [], as: UTF8.self)
        #expect(id.count == 24 && id.hasSuffix("=="))
        #expect(made.fields.first(.apnsRequestID)?.count == 36)
        let read = state.call("GET", Self.channels, [("apns-channel-id", id)])
        #expect((read.status, read.body) == (200, #"{"message-storage-policy":1,"push-type":"LiveActivity"}"#))
        #expect(state.call("GET", Self.all).body == #"{"channels":["\#(id)"]}"#)
        #expect(state.call("GET", Self.all, in: .sandbox).body == #"{"channels":[]}"#)
        #expect(state.call("DELETE", Self.channels, [("apns-channel-id", id)]).status == 204)
        #expect(state.call("DELETE", Self.channels, [("apns-channel-id", id)]).reason == "BadPath")
        #expect(state.call("GET", Self.channels, [("apns-channel-id", id)]).reason == "ChannelNotRegistered")
        #expect(state.call("GET", Self.all).body == #"{"channels":[]}"#)
    }

    static let creations: [(String, String?)] = [
        (creation, nil), (#"{"message-storage-policy":0,"push-type":"LIVEACTIVITY"}"#, nil), ("", "PayloadEmpty"),
        ("x", "BadRequestPayload"), ("[]", "BadRequestPayload"),
        (#"{"message-storage-policy":1,"push-type":"LiveActivity","x":1}"#, "BadRequestParams"),
        (#"{"push-type":"LiveActivity"}"#, "MissingChannelQueueSize"),
        (#"{"message-storage-policy":2,"push-type":"LiveActivity"}"#, "MissingChannelQueueSize"),
        (#"{"message-storage-policy":"1","push-type":"LiveActivity"}"#, "MissingChannelQueueSize"),
        (#"{"message-storage-policy":1}"#, "MissingPushType"),
        (#"{"message-storage-policy":1,"push-type":"alert"}"#, "InvalidPushType"),
        (String(repeating: " ", count: 5121), "PayloadTooLarge"),
    ]

    @Test(arguments: creations) func `the body of a new channel is checked`(row: (body: String, reason: String?)) {
        var state = GatewayState()
        #expect(state.call("POST", Self.channels, body: row.body).reason == row.reason)
    }

    static let calls: [(String, String, String?)] = [
        ("PUT", channels, "MethodNotAllowed"), ("HEAD", broadcast, "MethodNotAllowed"), ("GET", broadcast, "BadPath"),
        ("POST", all, "BadPath"), ("DELETE", all, "BadPath"), ("POST", "/1/apps/channels", "BadPath"),
        ("POST", "/1/apps//channels", "BadPath"), ("POST", "/1/apps/a/b/channels", "BadPath"),
        ("POST", "/4/broadcasts/apps/", "BadPath"), ("POST", "/4/broadcasts", "BadPath"),
        ("GET", "/1/apps/com.example.app.voip/all-channels", "TopicDisallowed"),
        ("GET", "/1/apps/a%20b/all-channels", "TopicDisallowed"),
        ("GET", channels, "MissingChannelId"), ("DELETE", channels, "MissingChannelId"),
        ("POST", broadcast, "MissingChannelId"),
    ]

    @Test(arguments: calls) func `paths, methods and required fields are checked`(
        row: (method: String, path: String, reason: String?)
    ) {
        var state = GatewayState()
        #expect(state.call(row.method, row.path).reason == row.reason)
    }

    @Test func `the provider is checked first`() {
        var state = GatewayState()
        #expect(state.call("GET", Self.all, bearer: nil).reason == "MissingProviderToken")
        #expect(state.call("GET", Self.all, bearer: "bearer x").reason == "InvalidProviderToken")
        #expect(
            state.call("GET", Self.all, bearer: "bearer \(PushSample.token(age: 4000))").reason
                == "ExpiredProviderToken")
        #expect(state.call("GET", "/1/x", bearer: nil).reason == "BadPath")
        state.session = APNsSession(
            certificate: ProviderCertificate(topics: ["x"], defaultTopic: nil, environments: []))
        #expect(state.call("GET", Self.all).reason == "TopicMismatch")
    }

    @Test func `the request id is returned, and a malformed one is refused`() {
        var state = GatewayState()
        let id = "eabeae54-14a8-11e5-b60b-1697f925ec7b"
        let good = state.call("GET", Self.all, [("apns-request-id", id)])
        #expect(good.fields.first(.apnsRequestID)?.elementsEqual(id.utf8) == true)
        #expect(
            state.call("GET", Self.channels, [("apns-request-id", id)]).fields.first(.apnsRequestID)?.elementsEqual(
                id.utf8) == true)
        #expect(state.call("GET", Self.all, [("apns-request-id", "x")]).reason == "BadMessageId")
    }

    /// A change to a valid broadcast, and the reason in the answer.
    static let broadcasts: [(String, String?, String?, String)] = [
        ("a good one", nil, nil, update), ("no type", "MissingPushType", "apns-push-type=", update),
        ("another type", "InvalidPushType", "apns-push-type=alert", update),
        ("no expiration", "BadExpirationDate", "apns-expiration=", update),
        ("a bad expiration", "BadExpirationDate", "apns-expiration=x", update),
        ("an expiration of 0", nil, "apns-expiration=0", update), ("a priority", nil, "apns-priority=5", update),
        ("a bad priority", "BadPriority", "apns-priority=7", update), ("no body", "PayloadEmpty", nil, ""),
        ("too long", "PayloadTooLarge", nil, String(repeating: " ", count: 5121)),
        ("an id that never existed", "BadChannelId", "apns-channel-id=AAAAAAAAAAAAAAAAAAAAAA==", update),
        ("an id that is not base64", "BadChannelId", "apns-channel-id=!!!!", update),
        ("no event", "InvalidPayload", nil, #"{"aps":{"timestamp":1}}"#),
    ]

    @Test(arguments: broadcasts)
    func `a broadcast is checked`(row: (name: String, reason: String?, change: String?, body: String)) {
        var state = GatewayState()
        var fields = [
            "apns-channel-id": state.makeChannel(), "apns-push-type": "liveactivity", "apns-expiration": "1900000000",
        ]
        if let change = row.change?.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false) {
            fields[String(change[0])] = change[1].isEmpty ? nil : String(change[1])
        }
        let answer = state.call("POST", Self.broadcast, fields.map { ($0, $1) }, body: row.body)
        #expect(answer.reason == row.reason)
        if row.reason == nil { #expect((answer.status, answer.body, answer.fields.count) == (200, "", 1)) }
    }

    @Test func `a channel without storage accepts no expiration, and a deleted channel accepts no broadcast`() {
        var state = GatewayState()
        let id = state.makeChannel(policy: 0)
        func fields(_ date: String) -> [(String, String)] {
            [("apns-channel-id", id), ("apns-push-type", "LiveActivity"), ("apns-expiration", date)]
        }
        #expect(state.call("POST", Self.broadcast, fields("0"), body: Self.update).status == 200)
        #expect(
            state.call("POST", Self.broadcast, fields("1900000000"), body: Self.update).reason == "BadExpirationDate")
        #expect(
            state.call("POST", Self.broadcast, fields("0"), body: Self.update, in: .sandbox).reason == "BadChannelId")
        _ = state.call("DELETE", Self.channels, [("apns-channel-id", id)])
        #expect(state.call("POST", Self.broadcast, fields("0"), body: Self.update).reason == "ChannelNotRegistered")
    }

    @Test func `an app can have ten thousand channels in each environment`() {
        var state = GatewayState()
        for _ in 0..<ChannelRegistry.limit { _ = state.makeChannel() }
        #expect(state.call("POST", Self.channels, body: Self.creation).reason == "CannotCreateChannelConfig")
        #expect(!state.makeChannel(in: .sandbox).isEmpty)
    }
}

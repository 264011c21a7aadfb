import APNs
import Devices
import HTTPCore
import JSON
import PushCore
import Testing

@testable import PushEngine

/// Refused pushes: their answers and events, and the session and the policy that decide.
@Suite struct APNsPushTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The answer's reason; nil if the push is accepted.
        let reason: String?
        var status = 400
        /// The rule of the event, if it is not the reason's.
        var rule: String?
        let send: @Sendable (EngineFixture) -> EngineFixture.Answer

        init(
            _ name: String, _ status: Int, _ reason: String?, rule: String? = nil,
            _ send: @escaping @Sendable (EngineFixture) -> EngineFixture.Answer
        ) {
            (testDescription, self.status, self.reason, self.rule, self.send) = (name, status, reason, rule, send)
        }
    }

    static let refusals: [Row] = [
        Row("another method", 405, "MethodNotAllowed") { $0.decide($0.request(method: "GET")) },
        Row("another path", 404, "BadPath") { $0.decide($0.request(path: "/3/devices/1")) },
        Row("no provider token", 403, "MissingProviderToken") { $0.push(["authorization": ""]) },
        Row("a provider token that is not a JWT", 403, "InvalidProviderToken") {
            $0.push(["authorization": "bearer abc"])
        },
        Row("a wrong signature", 403, "InvalidProviderToken") {
            let token = EngineFixture.providerToken(issuedAt: $0.now.seconds, signature: [2])
            return $0.push(["authorization": "bearer \(token)"])
        },
        Row("an expired provider token", 403, "ExpiredProviderToken") {
            $0.push(["authorization": "bearer \(EngineFixture.providerToken(issuedAt: $0.now.seconds - 3601))"])
        },
        Row("no device token", 400, "MissingDeviceToken") { $0.push("") },
        Row("a repeated field", 400, "DuplicateHeaders") { fixture in
            var request = fixture.request(EngineFixture.token, ["apns-id": "f47ac10b-58cc-4372-a567-0e02b2c3d479"])
            request.headers.append(HeaderName("apns-id"), "f47ac10b-58cc-4372-a567-0e02b2c3d479")
            return fixture.decide(request)
        },
        Row("an id that is no UUID", 400, "BadMessageId") { $0.push(["apns-id": "1"]) },
        Row("an expiration that is no number", 400, "BadExpirationDate") { $0.push(["apns-expiration": "soon"]) },
        Row("an unknown priority", 400, "BadPriority") { $0.push(["apns-priority": "7"]) },
        Row("a long collapse id", 400, "BadCollapseId") {
            $0.push(["apns-collapse-id": String(repeating: "c", count: 65)])
        },
        Row("an unknown push type", 400, "InvalidPushType") { $0.push(["apns-push-type": "loud"]) },
        Row("no topic", 400, "MissingTopic") { $0.push(topic: "") },
        Row("a topic with a space", 400, "BadTopic") { $0.push(topic: "a b") },
        Row("no payload", 400, "PayloadEmpty") { $0.push(body: "") },
        Row("a body over the limit", 413, "PayloadTooLarge") { fixture in
            var request = fixture.request()
            request.bodyIsOverLimit = true
            return fixture.decide(request)
        },
        Row("a short device token", 400, "BadDeviceToken") { $0.push("a1b2") },
        Row("a push type that needs another topic", 400, "InvalidPushType") {
            $0.push(["apns-push-type": "liveactivity"])
        },
        Row("a topic that is not the token's", 400, "DeviceTokenNotForTopic") { fixture in
            fixture.silently { fixture.make("d") }
            return fixture.push(fixture.apnsToken("d"), topic: "com.example.other")
        },
        Row("a payload that a phone can't use", 400, "InvalidPayload", rule: "payload.aps-type") {
            $0.push(body: #"{"aps":1}"#)
        },
    ]

    @Test(arguments: refusals) func `a refused push is in the log with its reason and changes no device`(row: Row) {
        let fixture = EngineFixture()
        let answer = row.send(fixture)
        #expect(answer.status == row.status)
        #expect(answer.reason == row.reason)
        #expect(answer.headers["apns-id"]?.isEmpty == false)
        let events = fixture.takeEvents().filter { $0.kind != .registered }
        #expect(events.map(\.kind) == [.refused])
        #expect(fixture.lastRecord?.reason == row.reason)
        #expect(fixture.lastRecord?.status == row.status)
        if row.reason != "InvalidPayload" {
            #expect(events.first?.why?.description == "apns.\(row.reason ?? "")")
        } else {
            #expect(events.first?.why?.description.hasPrefix("apns.") == false)
            #expect(answer.json?["rule"]?.string == events.first?.why?.description)
        }
        #expect(fixture.engine.devices.count <= 1)
        #expect((fixture.engine.metrics.accepted, fixture.engine.metrics.refused) == (0, 1))
    }

    @Test(arguments: MagicToken.table.map(\.token))
    func `a magic token gets its refusal and makes no device`(token: String) throws {
        let fixture = EngineFixture()
        let reason = try #require(MagicToken.table.first { $0.token == token }?.reason)
        let answer = fixture.push(token + String(repeating: "0", count: 64 - token.count))
        #expect(answer.description == "\(reason.status) \(reason.word)")
        #expect(fixture.take() == ["refused p1 apns.\(reason.word) \(reason.status) \(reason.word)"])
        #expect(fixture.engine.devices.count == 0)
    }

    @Test func `the session of a connection keeps its team, and refuses tokens that change too often`() {
        let fixture = EngineFixture()
        fixture.push()
        let newer = ["authorization": "bearer \(EngineFixture.providerToken(issuedAt: fixture.now.seconds + 1))"]
        #expect(fixture.push(newer).description == "429 TooManyProviderTokenUpdates")
        fixture.connection.session = APNsSession()
        #expect(fixture.push(newer).status == 200)
    }

    @Test func `a changed policy applies to the next push`() {
        let fixture = EngineFixture()
        fixture.push()
        var policy = fixture.engine.dialects.apns.policy
        policy.auth = .off
        fixture.engine.setPolicy(policy)
        #expect(fixture.push(["authorization": ""]).status == 200)
        policy.acceptsUnknownDevices = false
        fixture.engine.setPolicy(policy)
        #expect(fixture.push(String(repeating: "c3d4", count: 16)).description == "400 BadDeviceToken")
    }
}

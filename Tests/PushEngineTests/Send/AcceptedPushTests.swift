import APNs
import Devices
import HTTPCore
import PushCore
import Testing

@testable import PushEngine

/// The device, the id and the record of a push, and the environment that its token belongs to.
@Suite struct AcceptedPushTests {
    @Test func `an accepted push makes a device for an unknown token and reaches it`() {
        let fixture = EngineFixture()
        let answer = fixture.push()
        #expect(answer.status == 200)
        #expect(answer.body.isEmpty)
        #expect(answer.headers.keys.sorted() == ["apns-id"])
        #expect(
            fixture.take() == [
                "registered d1", "accepted p1 d1 apns.received 200", "delivered p1 d1 apns.delivered",
            ])
        #expect(fixture.device("d1").app == EngineFixture.app)
        #expect(fixture.device("d1").isImplicit)
        // The second push finds the device of the first.
        fixture.push()
        #expect(fixture.take() == ["accepted p2 d1 apns.received 200", "delivered p2 d1 apns.delivered"])
        #expect((fixture.engine.metrics.accepted, fixture.engine.metrics.refused) == (2, 0))
    }

    @Test(arguments: [true, false]) func `unknown tokens are accepted or refused as the policy says`(accepts: Bool) {
        let fixture = EngineFixture { $0.apns.acceptsUnknownDevices = accepts }
        #expect(fixture.push().description == (accepts ? "200" : "400 BadDeviceToken"))
        #expect(fixture.engine.devices.count == (accepts ? 1 : 0))
        fixture.make("known")
        #expect(fixture.push(to: "known").status == 200)
    }

    @Test(
        arguments: [
            (.production, false, 200), (.production, true, 400), (.sandbox, false, 400), (.sandbox, true, 200),
        ] as [(PushEnvironment, Bool, Int)])
    func `a token is only good in the environment of its device`(
        environment: PushEnvironment, isSandbox: Bool, status: Int
    ) {
        let fixture = EngineFixture()
        fixture.make("d", .ios, #""environment":"\#(environment.rawValue)""#)
        let answer = fixture.push(fixture.apnsToken("d"), isSandbox: isSandbox)
        #expect(answer.status == status)
        #expect(answer.reason == (status == 200 ? nil : "BadDeviceToken"))
        #expect(fixture.lastRecord?.environment == (isSandbox ? .sandbox : .production))
        // Only the sandbox answers with a second id.
        #expect((answer.headers["apns-unique-id"] != nil) == isSandbox)
    }

    @Test func `an unknown token belongs to the environment that it was first used in`() {
        let fixture = EngineFixture()
        #expect(fixture.push(isSandbox: true).status == 200)
        #expect(fixture.push().description == "400 BadDeviceToken")
        #expect(fixture.push(isSandbox: true).status == 200)
    }

    @Test func `an answer has the sender's id, or one that the seed decides`() {
        let id = "f47ac10b-58cc-4372-a567-0e02b2c3d479"
        let fixture = EngineFixture()
        #expect(fixture.push(["apns-id": id]).headers["apns-id"] == id)
        let generated = fixture.push().headers["apns-id"]
        #expect(generated?.count == 36)
        let again = EngineFixture()
        again.push()
        #expect(again.push().headers["apns-id"] == generated)
        let other = EngineFixture { $0.seed = 2 }
        other.push()
        #expect(other.push().headers["apns-id"] != generated)
    }

    @Test(arguments: [("com.example.app", "com.example.app"), (String(repeating: "a", count: 256), "")])
    func `a topic that is too long to be an app is not stored as one`(topic: String, app: String) {
        let fixture = EngineFixture()
        fixture.push(["apns-priority": "3"], topic: topic)
        #expect(fixture.takeEvents().map(\.app) == [app])
    }

    @Test func `the log keeps the request as it came`() throws {
        let fixture = EngineFixture()
        fixture.push(["apns-collapse-id": "score"], body: #"{"aps":{"badge":3}}"#)
        let message = try #require(fixture.logged("p1"))
        #expect(String(decoding: message.request.body, as: UTF8.self) == #"{"aps":{"badge":3}}"#)
        #expect(message.request.headers.first(HeaderName("apns-collapse-id"))?.elementsEqual("score".utf8) == true)
    }

    @Test func `findings of an accepted push are in the log`() {
        let fixture = EngineFixture()
        fixture.push([
            "authorization": "bearer \(EngineFixture.providerToken(issuedAt: fixture.now.seconds, key: "UNKNOWNKEY"))"
        ])
        #expect(fixture.lastFindings == ["auth.unknown-key"])
        #expect(fixture.lastRecord?.status == 200)
    }
}

import Testing

@testable import PushEngine

/// Faults for broadcasts and calls about topics with certain header fields and bodies.
@Suite struct FaultContentMatchTests {
    @Test func `a fault matches the channel and the body of a broadcast`() throws {
        let fixture = EngineFixture()
        let made = fixture.call(
            "POST", "/1/apps/\(EngineFixture.app)/channels",
            body: #"{"message-storage-policy":1,"push-type":"LiveActivity"}"#)
        let channel = try #require(made.headers["apns-channel-id"])
        let match = #"{"headers":{"apns-channel-id":"\#(channel)"},"body":{"/aps/content-state/n":2}}"#
        try fixture.fault(#"{"match":\#(match),\#(EngineFixture.refusal)}"#)
        let fields = ["apns-channel-id": channel, "apns-push-type": "LiveActivity", "apns-expiration": "0"]
        let statuses = (1...3).map { number in
            fixture.call(
                "POST", "/4/broadcasts/apps/\(EngineFixture.app)", fields,
                body: #"{"aps":{"timestamp":1800000000,"event":"update","content-state":{"n":\#(number)}}}"#
            ).status
        }
        #expect(statuses == [200, 500, 200])
    }

    @Test func `a fault matches the body of a call about topics`() throws {
        let fixture = EngineFixture()
        try fixture.fault(#"{"match":{"body":{"/to":"/topics/a"}},\#(EngineFixture.refusal)}"#)
        let statuses = ["a", "b"].map { topic in
            fixture.google(
                "POST", "/iid/v1:batchAdd", ["access_token_auth": "true"],
                body: #"{"to":"/topics/\#(topic)","registration_tokens":["x"]}"#
            ).status
        }
        #expect(statuses == [500, 200])
    }
}

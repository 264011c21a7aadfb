import HTTPCore
import Testing

@testable import PushEngine

/// Faults for requests with certain header fields and bodies.
@Suite struct FaultContentMatchTests {
    /// Pushes by name: one field may occur twice, and one body is not complete.
    private static let pushes: KeyValuePairs<String, (fields: [(String, String)], body: String)> = [
        "plain": ([], #"{"aps":{"alert":"Hello"}}"#),
        "calm": ([("apns-priority", "5")], #"{"aps":{"alert":{"title":"Hello","body":"B"}},"n":1}"#),
        "twice": (
            [("x-run", "a"), ("x-run", "b"), ("apns-priority", "5")],
            #"{"aps":{"alert":"Hello"},"n":1.0,"a/b":[{"c":[null,true]}],"n~":"1"}"#
        ),
        "none": ([], #"{"aps":{"alert""#),
    ]

    @Test(
        arguments: [
            (#""headers":{},"body":{}"#, ["plain", "calm", "twice", "none"]),
            (#""headers":{"apns-priority":"5"}"#, ["calm", "twice"]),
            (#""headers":{"APNS-Priority":"5"}"#, ["calm", "twice"]), (#""headers":{"apns-priority":"10"}"#, []),
            (#""headers":{"x-run":"a"}"#, ["twice"]), (#""headers":{"x-run":"b","apns-priority":"5"}"#, ["twice"]),
            (#""headers":{"x-run":"A"}"#, []), (#""headers":{"x-run":"a","apns-id":"x"}"#, []),
            (#""headers":{"apns-topic":"com.example.app"}"#, ["plain", "calm", "twice", "none"]),
            (#""body":{"/aps/alert":"Hello"}"#, ["plain", "twice"]), (#""body":{"/aps/alert":"hello"}"#, []),
            (#""body":{"/aps/alert/title":"Hello"}"#, ["calm"]),
            (#""body":{"/aps/alert":{"title":"Hello","body":"B"}}"#, ["calm"]),
            (#""body":{"/n":1}"#, ["calm", "twice"]), (#""body":{"/n":"1"}"#, []),
            (#""body":{"/a~1b/0/c/1":true}"#, ["twice"]), (#""body":{"/a~1b/0/c/0":null}"#, ["twice"]),
            (#""body":{"/a~1b/0/c":[null,true]}"#, ["twice"]),
            (#""body":{"/n~0":"1","/aps/alert":"Hello"}"#, ["twice"]),
            (#""body":{"/n~0":"1","/aps/alert":"x"}"#, []), (#""body":{"/aps/none":null}"#, []),
            (#""body":{"":{"aps":{"alert":"Hello"}}}"#, ["plain"]),
            (#""headers":{"apns-priority":"5"},"body":{"/aps/alert":"Hello"}"#, ["twice"]),
            (#""provider":"fcm","body":{"/aps/alert":"Hello"}"#, []),
        ] as [(String, [String])])
    func `a fault matches header fields and bodies of pushes`(match: String, expected: [String]) throws {
        let fixture = EngineFixture()
        try fixture.fault(#"{"match":{\#(match)},\#(EngineFixture.refusal)}"#)
        let hit = Self.pushes.filter { _, push in
            var request = fixture.request(body: push.body)
            for (name, value) in push.fields { request.headers.append(HeaderName(name), value) }
            return fixture.decide(request).fault != nil
        }
        #expect(hit.map(\.key) == expected)
    }

    /// The JSON is read leniently, and names of members are compared as they were sent.
    @Test(
        arguments: [
            (#""headers":{"x-run":"a"}"#, true), (#""headers":{"X-Run":"b"}"#, false),
            (#""body":{"/message/data/k":"it's"}"#, true), (#""body":{"/message/data":{"k":"it's"}}"#, true),
            (#""body":{"/message/android/collapse_key":"c"}"#, true),
            (#""body":{"/message/android/collapseKey":"c"}"#, false),
            (#""provider":"apns","headers":{"x-run":"a"}"#, false),
        ])
    func `a fault matches messages as Google reads them`(match: String, isHit: Bool) throws {
        let fixture = EngineFixture()
        try fixture.fault(#"{"match":{\#(match)},\#(EngineFixture.refusal)}"#)
        let body = #"{message:{'topic':'t','data':{'k':'it\'s',},'android':{'collapse_key':'c'}}}"#
        let answer = fixture.google("POST", "/v1/projects/demo/messages:send", ["x-run": "a"], body: body)
        #expect((answer.fault != nil) == isHit)
    }

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

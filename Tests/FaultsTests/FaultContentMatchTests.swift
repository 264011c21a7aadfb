import FCM
import HTTPCore
import PushCore
import Testing

@testable import Faults

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
        let fixture = FaultFixture()
        try fixture.fault(#"{"match":{\#(match)},\#(FaultFixture.refusal)}"#)
        let hit = Self.pushes.filter { _, push in
            let fields = [("apns-topic", FaultFixture.app)] + push.fields
            let request = FaultFixture.request(fields, body: push.body)
            return fixture.hit(.init(app: FaultFixture.app, request: request)) != nil
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
        let fixture = FaultFixture()
        try fixture.fault(#"{"match":{\#(match)},\#(FaultFixture.refusal)}"#)
        let body = #"{message:{'topic':'t','data':{'k':'it\'s',},'android':{'collapse_key':'c'}}}"#
        let request = FaultFixture.request([("x-run", "a")], path: "/v1/projects/demo/messages:send", body: body)
        let hit = fixture.hit(.init(provider: .fcm, service: .send, app: "demo", request: request))
        #expect((hit != nil) == isHit)
    }
}

import Devices
import PushCore
import Testing

@testable import PushEngine

/// Which requests a fault hits.
@Suite struct FaultMatchTests {
    /// What `match` says, and which of the pushes in `candidates` it hits.
    @Test(
        arguments: [
            (#"{}"#, [0, 1, 2, 3, 4]), (#"{"provider":"apns"}"#, [0, 1, 2]), (#"{"provider":"fcm"}"#, [3, 4]),
            (#"{"app":"com.example.app"}"#, [0, 1, 3]), (#"{"app":"demo"}"#, [3, 4]), (#"{"app":"other"}"#, []),
            (#"{"token":"IOS"}"#, [0, 1]), (#"{"token":"ANDROID"}"#, [3]), (#"{"token":"FID"}"#, [3]),
            (#"{"topic":"news"}"#, [4]), (#"{"topic":"com.example.app"}"#, [0, 1]),
            (#"{"pushType":"background"}"#, [1]), (#"{"environment":"production"}"#, [0, 1, 2]),
            (#"{"environment":"sandbox"}"#, []), (#"{"reason":"accepted"}"#, [0, 1, 3, 4]),
            (#"{"reason":"BadDeviceToken"}"#, [2]), (#"{"headers":{"apns-priority":"5"}}"#, [1]),
            (#"{"headers":{"Apns-Priority":"5"}}"#, [1]), (#"{"headers":{"apns-priority":"10"}}"#, []),
            (#"{"body":{"/aps/badge":7}}"#, [0]), (#"{"body":{"/aps/badge":8}}"#, []),
            (#"{"body":{"/message/data/a":"b"}}"#, [3]), (#"{"body":{"/message/topic":"news"}}"#, [4]),
            (#"{"provider":"apns","app":"com.example.app","pushType":"background"}"#, [1]),
            (#"{"provider":"fcm","pushType":"background"}"#, []),
        ] as [(String, [Int])])
    func `a match says which requests are hit`(match: String, expected: [Int]) throws {
        let fixture = EngineFixture()
        fixture.make("i")
        fixture.make("a", .android)
        let text = match.replacing("IOS", with: fixture.apnsToken("i").uppercased())
            .replacing("ANDROID", with: fixture.fcmToken("a")).replacing("FID", with: fixture.device("a").fid)
        try fixture.fault(#"{"match":\#(text),\#(EngineFixture.refusal)}"#)
        let candidates = [
            fixture.push(to: "i", body: #"{"aps":{"badge":7}}"#),
            fixture.push(
                to: "i", ["apns-push-type": "background", "apns-priority": "5"],
                body: #"{"aps":{"content-available":1}}"#),
            fixture.push("abc", topic: "com.example.third"),
            fixture.message(to: "a"),
            fixture.message(#""topic":"news""#),
        ]
        #expect(candidates.indices.filter { candidates[$0].fault == "f1" } == expected)
    }

    @Test func `calls about topics can be hit too`() throws {
        let fixture = EngineFixture()
        fixture.make("a", .android)
        try fixture.fault(#"{"match":{"topic":"news"},"effect":{"answer":{"status":503,"reason":"UNAVAILABLE"}}}"#)
        let path = "/iid/v1/\(fixture.fcmToken("a"))/rel/topics/"
        let fields = ["access_token_auth": "true"]
        #expect(fixture.google("POST", path + "sport", fields).status == 200)
        #expect(fixture.google("POST", path + "news", fields).status == 503)
        #expect(fixture.device("a").topics.keys.sorted() == ["sport"])
    }
}

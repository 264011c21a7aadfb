import PushpitTesting
import Testing

/// The other kinds of tokens in `hello`, in `welcome` and in frames.
@Suite struct OtherTokenFrameTests {
    private static let suffixes = [
        "voip": ".voip", "ptt": ".voip-ptt", "location": ".location-query", "complication": ".complication",
        "fileprovider": ".pushkit.fileprovider", "widgets": ".push-type.widgets",
    ]
    private static let chosen = String(repeating: "c4", count: 32)

    @Test func `welcome has a token of each kind`() throws {
        try TestGateway.run { gateway in
            let phone = try gateway.phone()
            for (kind, suffix) in Self.suffixes {
                let token = phone.device["tokens"][kind]
                #expect(
                    token == [
                        "token": TestJSON(phone.token(kind)), "environment": "production",
                        "topic": TestJSON("com.example.app" + suffix),
                    ])
                #expect(phone.token(kind).count == 64)
            }
        }
    }

    @Test(arguments: TestGateway.Kind.allCases) func `a VoIP push rings`(kind: TestGateway.Kind) throws {
        try TestGateway.run(kind) { gateway in
            let spec: TestJSON = ["tokens": ["voip": ["token": TestJSON(Self.chosen)]], "state": ["app": "forceQuit"]]
            let phone = try gateway.phone("ios", spec)
            #expect(phone.token("voip") == Self.chosen && phone.welcome["ignored"] == nil)
            let answer = try gateway.push(
                ["call": "7"], to: Self.chosen, topic: "com.example.app.voip", fields: ["apns-push-type": "voip"])
            #expect(answer.status == 200)
            let push = try phone.next("push")
            #expect(push["payload"] == ["call": "7"] && push["headers"]["apns-push-type"] == "voip")
            let events = try phone.events().map { $0["why"].string ?? "" }
            #expect(events == ["apns.delivered", "ios.voip", "ios.voip", "ios.call", "ios.call"])
        }
    }

    @Test func `an app that reports no call is ended`() throws {
        try TestGateway.run { gateway in
            let phone = try gateway.phone("ios", ["reportsCalls": false])
            let fields: TestFields = ["apns-push-type": "voip"]
            for _ in 0..<4 {
                try gateway.push([:], to: phone.token("voip"), topic: "com.example.app.voip", fields: fields)
            }
            let events = try phone.events()
            #expect(events.count { $0["why"] == "ios.call-not-reported" } == 3)
            #expect(events.last?["why"] == "ios.voip-blocked")
            try #expect(gateway.ask("GET", "/devices/\(phone.id)")["state"]["app"] == "terminated")
        }
    }

    @Test func `a token of a kind is rotated over the socket`() throws {
        try TestGateway.run { gateway in
            let phone = try gateway.phone()
            let old = phone.token("ptt")
            try phone.ask("token", ["op": "rotate", "provider": "apns", "kind": "ptt"])
            let frame = try phone.next("token")
            #expect(frame["kind"] == "ptt" && frame["old"].string == old && frame["cause"] == "rotate")
            let problem = try phone.ask("token", ["op": "rotate", "provider": "apns", "kind": "pager"])
            #expect(problem["type"] == "error" && problem["pointer"] == "/kind")
        }
    }

    @Test func `a device gets all tokens of an old welcome back`() throws {
        var old: TestJSON = [:]
        try TestGateway.run { gateway in
            // The second one: the first phone of every gateway would have the same tokens.
            _ = try gateway.phone()
            old = try gateway.phone().device["tokens"]
        }
        try TestGateway.run { gateway in
            let tokens = try gateway.phone("ios", ["tokens": old]).device["tokens"]
            for kind in ["apns", "fcm", "voip", "widgets"] {
                #expect(tokens[kind]["token"].string == old[kind]["token"].string, "\(kind)")
            }
            #expect(tokens["liveActivity"]["start"].string?.count == 160)
            #expect(tokens["liveActivity"]["start"].string == old["liveActivity"]["start"].string)
        }
    }

    /// Specs, and the member that is wrong.
    static let bad: [(TestJSON, String)] = [
        (["voip": ["token": "xy"]], "/tokens/voip/token"), (["ptt": 7], "/tokens/ptt"),
        (["widgets": ["tokn": ""]], "/tokens/widgets/tokn"),
        (["apns": ["token": TestJSON(chosen)], "voip": ["token": TestJSON(chosen)]], "/tokens/voip"),
        (["location": ["token": TestJSON(taken)]], "/tokens/location"),
        (["liveActivity": ["start": "xy"]], "/tokens/liveActivity/start"),
        (["liveActivity": ["start": TestJSON(taken)]], "/tokens/liveActivity"),
        (["liveActivity": ["token": TestJSON(chosen)]], "/tokens/liveActivity/token"),
    ]
    private static let taken = String(repeating: "d5", count: 32)

    @Test func `a token that can't be chosen is refused`() throws {
        try TestGateway.run { gateway in
            _ = try gateway.phone("ios", ["tokens": ["voip": ["token": TestJSON(Self.taken)]]])
            for (tokens, pointer) in Self.bad {
                let spec: TestJSON = ["platform": "ios", "app": "com.example.app", "tokens": tokens]
                let answer = try gateway.api("POST", "/devices", spec)
                #expect(answer.status == 400 && answer.json["error"]["pointer"].string == pointer, "\(tokens)")
            }
            let spec: TestJSON = [
                "platform": "android", "app": "a", "tokens": ["voip": ["token": TestJSON(Self.chosen)]],
            ]
            try #expect(gateway.api("POST", "/devices", spec).json["error"]["pointer"] == "/tokens/voip")
        }
    }
}

import PushpitTesting
import Testing

/// What devices get of FCM messages, as their sockets see it.
@Suite struct MessageFrameTests {
    private func target(_ phone: TestPhone) -> TestJSON { ["token": TestJSON(phone.token("fcm"))] }

    /// The last part of the answered name.
    private func name(_ answer: TestResponse) -> String {
        String(answer.json["name"].string?.split(separator: "/").last ?? "")
    }

    @Test(arguments: TestGateway.Kind.allCases) func `an Android phone gets a remote message`(kind: TestGateway.Kind)
        throws
    {
        try TestGateway.run(kind) { gateway in
            let phone = try gateway.phone("android", hello: ["wants": ["push"]])
            let tokens = phone.device["tokens"]["fcm"]
            #expect(tokens["token"].string?.split(separator: ":").first.map(String.init) == tokens["fid"].string)
            let android: TestJSON = [
                "data": ["k": "v"], "ttl": "3.5s", "collapse_key": "ignored",
                "notification": ["title": "Own", "channel_id": "c"],
            ]
            let message: TestJSON = [
                "data": ["a": "common"], "notification": ["title": "T", "body": "B"], "android": android,
            ]
            let id = TestJSON(name(try gateway.sendFCM(target(phone).merging(message))))
            let push = try phone.next("push")
            #expect(push["provider"] == "fcm" && push["app"] == "com.example.app")
            #expect(push["headers"] == ["messageId": id])
            let (payload, extras) = (push["payload"], push["payload"]["extras"])
            let expected: TestJSON = [
                "from": tokens["senderId"], "messageId": id, "collapseKey": "com.example.app", "ttl": 3,
                "originalPriority": "high", "priority": "high", "data": ["k": "v"],
                "notification": ["title": "Own", "body": "B", "channelId": "c"], "sentTime": payload["sentTime"],
                "extras": extras,
            ]
            #expect(payload == expected)
            #expect(extras["gcm.n.title"] == "Own" && extras["google.message_id"] == id)
            #expect(extras["google.sent_time"] == payload["sentTime"] && extras["google.ttl"] == 3)
        }
    }

    @Test func `a message's name and a token have the form of the platform`() throws {
        try TestGateway.run { gateway in
            func answered(_ platform: String, tokenLength: Int) throws -> String {
                let phone = try gateway.phone(platform)
                #expect(phone.token("fcm").count == tokenLength)
                return name(try gateway.sendFCM(target(phone).merging(["notification": ["title": "x"]])))
            }
            try #expect(answered("ios", tokenLength: 163).wholeMatch(of: /\d{16}/) != nil)
            try #expect(
                answered("web", tokenLength: 142).wholeMatch(of: /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/) != nil)
            try #expect(answered("android", tokenLength: 163).wholeMatch(of: /0:\d{16}%([0-9a-f]{8})\1/) != nil)
        }
    }

    @Test func `the token of a Live Activity is in the push's fields`() throws {
        try TestGateway.run { gateway in
            let phone = try gateway.phone("ios", hello: ["wants": ["push"]])
            try phone.ask("topic", ["op": "subscribe", "name": "t"])
            let start = try #require(phone.device["tokens"]["liveActivity"]["start"].string)
            let begin: TestJSON = [
                "aps": [
                    "event": "start", "timestamp": 1, "content-state": [:], "attributes-type": "Trip",
                    "attributes": [:], "alert": ["title": "T", "body": "b"],
                ]
            ]
            let began = try gateway.push(
                begin, to: start, topic: LiveActivityTests.topic, fields: ["apns-push-type": "liveactivity"])
            #expect(began.status == 200)
            _ = try phone.next("push")
            let token = try #require(phone.next("token")["new"].string)
            let aps: TestJSON = ["timestamp": 1, "event": "update", "content-state": ["a": 1]]
            let apns: TestJSON = ["liveActivityToken": TestJSON(token), "payload": ["aps": aps]]
            for target in [target(phone), ["topic": "t"]] {
                try #expect(gateway.sendFCM(target.merging(["apns": apns])).status == 200)
                let push = try phone.next("push")
                #expect(push["headers"]["liveActivityToken"].string == token && push["payload"]["aps"] == aps)
            }
        }
    }

    @Test func `JSON that only Google's parser takes arrives as JSON`() throws {
        try TestGateway.run { gateway in
            let phone = try gateway.phone("ios", hello: ["wants": ["push"]])
            let body = """
                {message:{'token':'\(phone.token("fcm"))',apns:{payload:{aps:{alert:'it\\'s',},x:['a',{b:1,},],},},},}
                """
            try #expect(gateway.sendFCM(body: Array(body.utf8)).status == 200)
            let payload = try phone.next("push")["payload"]
            #expect(payload["aps"] == ["alert": "it's"] && payload["x"] == ["a", ["b": 1]])
        }
    }

    @Test func `a dry run and a refused message reach no device, and a removed app has no token`() throws {
        try TestGateway.run { gateway in
            let phone = try gateway.phone("android", ["project": "mine"])
            #expect(phone.device["tokens"]["fcm"]["project"] == "mine")
            let dry: TestJSON = ["message": target(phone), "validate_only": true]
            try #expect(gateway.sendFCM(body: dry.bytes, project: "mine").status == 200)
            let foreign = try gateway.sendFCM(target(phone), project: "other")
            #expect(foreign.status == 403 && foreign.json["error"]["message"] == "SenderId mismatch")
            let refused = try gateway.sendFCM(target(phone).merging(["data": ["from": "x"]]), project: "mine")
            #expect(refused.status == 400)
            try #expect(phone.received() == [])
            try phone.ask("uninstall")
            let gone = try gateway.sendFCM(target(phone), project: "mine")
            #expect(gone.status == 404 && gone.json["error"]["details"][0]["errorCode"] == "UNREGISTERED")
        }
    }

    @Test func `above a hundred waiting messages all are dropped, and the app learns how many`() throws {
        try TestGateway.run { gateway in
            let phone = try gateway.phone("android", hello: ["wants": ["push"]])
            for (count, deleted, first) in [(100, 0, 0), (102, 101, 101)] {
                try phone.ask("state", ["set": ["online": false]])
                for number in 0..<count {
                    let answer = try gateway.sendFCM(target(phone).merging(["data": ["n": TestJSON("\(number)")]]))
                    #expect(answer.status == 200)
                }
                try phone.ask("state", ["set": ["online": true]])
                let frames = try phone.received()
                #expect(
                    frames.filter { $0["type"] == "deleted" }
                        == (deleted > 0 ? [["type": "deleted", "count": TestJSON(deleted)]] : []))
                let numbers = frames.filter { $0["type"] == "push" }.map { $0["payload"]["data"]["n"].string }
                #expect(numbers == (first..<count).map { "\($0)" })
            }
        }
    }

    @Test func `a device that is away for long is inactive, and then unknown`() throws {
        try TestGateway.run { gateway in
            let phone = try gateway.phone("android")
            try phone.ask("state", ["set": ["online": false]])
            _ = try phone.received()
            func send() throws -> Int { try gateway.sendFCM(target(phone).merging(["data": ["a": "b"]])).status }
            gateway.advanceClock(by: .seconds(31 * 86_400))
            try #expect(send() == 200)
            try #expect(phone.events().map { $0["data"]["outcome"] } == ["droppedDeviceInactive"])
            gateway.advanceClock(by: .seconds(240 * 86_400))
            try #expect(send() == 404)
            try phone.ask("state", ["set": ["online": true]])
            try #expect(phone.received().contains(["type": "deleted", "count": 1]))
            try #expect(send() == 200)
        }
    }
}

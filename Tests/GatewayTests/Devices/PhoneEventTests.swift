import PushpitTesting
import Testing

/// What a simulated phone reports over its socket about pushes that have reached it, and what a person can do with them.
@Suite struct PhoneEventTests {
    static let alert: TestJSON = [
        "aps": ["alert": ["title": "T", "body": "B"], "sound": "default", "badge": 3, "category": "ASK"]
    ]
    static let mutable: TestJSON = ["aps": ["alert": ["title": "T", "body": "B"], "mutable-content": 1]]
    static let iPhone: TestJSON = [
        "categories": [["id": "ASK", "customDismissAction": true, "actions": [["id": "YES", "title": "Yes"]]]]
    ]

    /// The events so far, which must be of these kinds.
    private func events(_ phone: TestPhone, _ kinds: String...) throws -> [TestJSON] {
        let events = try phone.events()
        try #require(events.map { $0["kind"].string } == kinds)
        return events
    }

    private func send(_ message: TestJSON, to phone: TestPhone, _ gateway: TestGateway) throws {
        let target: TestJSON = ["token": TestJSON(phone.token("fcm"))]
        try #expect(gateway.sendFCM(target.merging(message)).status == 200)
    }

    @Test func `an iPhone shows a push and learns that it was opened`() throws {
        try TestGateway.run { gateway in
            let phone = try gateway.phone("ios", Self.iPhone)
            try gateway.push(Self.alert, to: phone.token())
            let first = try events(phone, "delivered", "presented", "badge")
            let shown = first[1]["data"]
            #expect(first[1]["why"] == "ios.shown")
            #expect(shown["title"] == "T" && shown["body"] == "B" && shown["category"] == "ASK")
            #expect(shown["actions"] == [["id": "YES", "title": "Yes"]])
            #expect(shown["surfaces"] == ["banner", "list", "sound"])
            #expect(first[2]["data"] == ["badge": 3])
            try #expect(phone.ask("act", ["notification": shown["key"], "kind": "open"])["type"] == "ok")
            let second = try events(phone, "opened", "state", "callback")
            #expect(second[0]["push"] == first[1]["push"])
            #expect(second[1]["data"]["app"] == "foreground")
            #expect(
                second[2]["data"] == [
                    "name": "didReceiveResponse",
                    "actionIdentifier": "com.apple.UNNotificationDefaultActionIdentifier",
                ])
            // An app in the foreground is asked first.
            try gateway.push(Self.alert, to: phone.token())
            let third = try events(phone, "delivered", "callback", "presented")
            #expect(third[1]["data"]["name"] == "willPresent")
            #expect(third[2]["why"] == "ios.foreground")
        }
    }

    @Test func `a second client sees the shade, and both see it cleared`() throws {
        try TestGateway.run { gateway in
            let phone = try gateway.phone()
            for number in 1...2 {
                let aps: TestJSON = ["alert": ["title": TestJSON("\(number)")], "badge": TestJSON(number)]
                try gateway.push(["aps": aps], to: phone.token())
            }
            _ = try phone.received()
            let other = try gateway.phone(watching: phone)
            #expect(other.device["shade"].array.map { $0["title"] } == ["2", "1"])
            #expect(other.device["badge"] == 2)
            try phone.ask("clearAll")
            for client in [phone, other] { _ = try events(client, "dismissed", "dismissed") }
        }
    }

    @Test func `an Android phone calls its app, and shows images and channels`() throws {
        try TestGateway.run { gateway in
            let phone = try gateway.phone("android", ["channels": [["id": "news", "importance": "high"]]])
            try send(["data": ["a": "1"]], to: phone, gateway)
            let data = try events(phone, "delivered", "callback")[1]
            #expect(data["why"] == "android.data" && data["data"] == ["name": "onMessageReceived"])
            let image: TestJSON = ["channel_id": "news", "image": "https://e.com/a.png"]
            try send(
                ["notification": ["title": "T", "body": "B"], "android": ["notification": image]], to: phone, gateway)
            let shown = try events(phone, "delivered", "attachment", "presented")
            #expect(shown[1]["data"] == ["url": "https://e.com/a.png", "outcome": "skipped"])
            #expect(shown[2]["data"]["group"] == "news")
            #expect(shown[2]["data"]["surfaces"] == ["banner", "list", "sound"])
        }
    }

    @Test func `a browser shows a message in the background and gets it in the foreground`() throws {
        try TestGateway.run { gateway in
            let phone = try gateway.phone("web", app: "https://e.com")
            try send(["notification": ["title": "T", "body": "B"]], to: phone, gateway)
            let shown = try events(phone, "delivered", "presented", "callback")
            #expect(shown[1]["data"]["title"] == "T" && shown[2]["data"]["name"] == "onBackgroundMessage")
            try phone.ask("state", ["set": ["app": "foreground"]])
            _ = try events(phone, "state")
            try send(["notification": ["title": "T"]], to: phone, gateway)
            try #expect(events(phone, "delivered", "callback")[1]["data"]["name"] == "onMessage")
        }
    }

    @Test func `a client answers as the app's extension`() throws {
        try TestGateway.run { gateway in
            let phone = try gateway.phone("ios", ["extension": ["script": "remote"]])
            let answers: [(TestJSON, String)] = [
                (["content": ["title": "X"]], "X"), (["crash": true], "T"), (["timeout": true], "T"),
            ]
            for (answer, title) in answers {
                try gateway.push(Self.mutable, to: phone.token())
                let started = try events(phone, "delivered", "extension")[1]
                try phone.ask("extensionResult", (["push": started["push"]] as TestJSON).merging(answer))
                try #expect(events(phone, "extension", "presented")[1]["data"]["title"].string == title)
            }
            let error = try phone.ask("extensionResult", ["push": "p999", "crash": true])
            #expect(error["type"] == "error" && error["pointer"] == "/push")
            try gateway.push(Self.mutable, to: phone.token())
            let started = try events(phone, "delivered", "extension")[1]
            for (content, place): (TestJSON, String) in [
                (["a/b": 1], "/content/a~1b"), (["title": 7], "/content/title"),
            ] {
                let problem = try phone.ask("extensionResult", ["push": started["push"], "content": content])
                #expect(problem["type"] == "error" && problem["pointer"].string == place)
            }
            try phone.ask("extensionResult", ["push": started["push"], "content": ["body": nil]])
            try #expect(events(phone, "extension", "presented")[1]["data"]["title"] == "T")
        }
    }

    /// Seconds that the extension takes, steps of the clock, and the rule of its end, which comes with the last step.
    static let extensions: [(seconds: Int, steps: [Int], rule: String)] = [
        (20, [19, 1], "ios.extension"), (40, [29, 1], "ios.extension-timeout"),
    ]

    @Test(arguments: extensions.indices) func `a slow extension has thirty seconds of the gateway's clock`(index: Int)
        throws
    {
        let row = Self.extensions[index]
        try TestGateway.run { gateway in
            let phone = try gateway.phone("ios", ["extension": ["script": "slow", "seconds": TestJSON(row.seconds)]])
            try gateway.push(Self.mutable, to: phone.token())
            _ = try events(phone, "delivered", "extension")
            for step in row.steps {
                try #expect(phone.events() == [], "\(step)")
                gateway.advanceClock(by: .seconds(step))
            }
            let ended = try events(phone, "extension", "presented")
            #expect(ended[0]["why"].string == row.rule && ended[1]["why"] == "ios.shown")
        }
    }

    @Test func `an act that cannot be done is an error with a pointer`() throws {
        try TestGateway.run { gateway in
            let phone = try gateway.phone("ios", Self.iPhone)
            try gateway.push(Self.alert, to: phone.token())
            let key = try phone.nextEvent("presented")["data"]["key"]
            let action: TestJSON = ["notification": key, "kind": "action"]
            let acts: [(TestJSON, String)] = [
                (["notification": "n99", "kind": "open"], "/notification"), (["kind": "open"], "/notification"),
                (["notification": key, "kind": "eat"], "/kind"), (action, "/actionId"),
                (action.merging(["actionId": "NO"]), "/actionId"),
                (action.merging(["actionId": "YES", "text": "hi"]), "/text"),
                (action.merging(["actionId": "YES", "text": 7]), "/text"),
            ]
            for (act, pointer) in acts {
                let error = try phone.ask("act", act)
                #expect(error["type"] == "error" && error["code"] == "badMessage", "\(act)")
                #expect(error["pointer"].string == pointer, "\(act)")
            }
        }
    }

    @Test func `an app that was force-quit is not woken until it is launched`() throws {
        try TestGateway.run { gateway in
            let phone = try gateway.phone()
            try phone.ask("forceQuit")
            _ = try events(phone, "state")
            try gateway.push(["aps": ["content-available": 1]], to: phone.token(), fields: ["apns-priority": "5"])
            try #expect(events(phone, "delivered", "suppressed")[1]["why"] == "ios.force-quit")
            try phone.ask("launch")
            _ = try events(phone, "state")
            try gateway.push(["aps": ["content-available": 1]], to: phone.token(), fields: ["apns-priority": "5"])
            try #expect(
                events(phone, "delivered", "callback")[1]["data"]
                    == ["name": "didReceiveRemoteNotification", "state": "active"])
        }
    }

    @Test func `Adobe's tracking reports the click and the start`() throws {
        try TestGateway.run { gateway in
            let phone = try gateway.phone("ios", ["tracking": ["profile": "adobe", "ecid": "E"]])
            try gateway.push(Self.alert.merging(["_mId": "h138a", "_dId": "56c4"]), to: phone.token())
            let key = try phone.nextEvent("presented")["data"]["key"]
            _ = try phone.received()
            try phone.ask("act", ["notification": key, "kind": "open"])
            let reports = try events(phone, "opened", "state", "callback", "tracking", "tracking").suffix(2)
            #expect(
                reports.first?["data"] == ["action": "2", "broadlogId": "h138a", "deliveryId": "56c4", "mcId": "E"])
            #expect(reports.last?["data"]["action"] == "1")
        }
    }
}

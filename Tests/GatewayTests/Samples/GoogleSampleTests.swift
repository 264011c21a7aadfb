import PushpitTesting
import Testing

@testable import Gateway

/// Messages to FCM as they were found on web pages and sent by SDKs: what is wrong with each, and what devices get.
@Suite struct GoogleSampleTests {
    /// Google's descriptions of the fields that are wrong.
    private func violations(_ body: TestJSON, _ gateway: TestGateway) throws -> [String?] {
        let answer = try gateway.sendFCM(body: body.bytes)
        #expect(answer.status == 400 && answer.json["error"]["status"] == "INVALID_ARGUMENT", "\(answer.text)")
        return answer.json["error"]["details"].array.flatMap { $0["fieldViolations"].array }
            .map { $0["description"].string }
    }

    @Test func `the format of the discontinued API is refused`() throws {
        try TestGateway.run { gateway in
            let unknown = ["to", "collapseKey", "priority", "data"].map {
                "Invalid JSON payload received. Unknown name \"\($0)\": Cannot find field."
            }
            try #expect(violations(Sample.legacyMessage(), gateway) == Array(unknown.dropFirst()))
            try #expect(violations(Sample.json("adobe-fcm-tester.json"), gateway) == unknown)
            #expect(gateway.events().filter { $0.findings.contains("fcm.legacy-shape") }.count == 2)
        }
    }

    @Test func `a number is not a value of data`() throws {
        try TestGateway.run { gateway in
            let message: TestJSON = ["message": ["topic": "t", "data": try Sample.legacyMessage()["data"]]]
            let text = try #require(violations(message, gateway).first ?? nil)
            #expect(text.contains(/Invalid value at 'message\.data\[\d+\]\.value' \(TYPE_STRING\), 1817/))
        }
    }

    @Test func `an Android app gets what the old format meant`() throws {
        try TestGateway.run { gateway in
            let phone = try gateway.phone("android", ["tracking": ["profile": "adobe", "ecid": "E"]])
            let data = try Sample.legacyMessage()["data"].merging(["badge": "1817"])
            let answer = try gateway.sendFCM([
                "token": TestJSON(phone.token("fcm")), "data": data,
                "android": ["collapse_key": "1476005", "priority": "high"],
            ])
            #expect(answer.status == 200)
            let frames = try phone.received()
            // The deep link, the sound that is a URL and the media's URL are data like any other.
            #expect(frames.payloads.map { $0["data"] } == [data])
            #expect(frames.payloads.first?["collapseKey"] == "1476005")
            #expect(gateway.events().contains { $0.findings.contains("fcm.media-in-data") })
            #expect(frames.data(of: "callback") == [["name": "onMessageReceived"]])
            let shown = try #require(frames.data(of: "presented").first)
            #expect(shown["title"] == "adobe title 123" && shown["body"] == "adobe body 123")
            let hit = try #require(frames.data(of: "tracking").first)
            #expect(hit["action"] == "7" && hit["broadlogId"] == "h1685a5" && hit["deliveryId"] == "d57fd6")
        }
    }

    @Test func `the links of a delivery are not actions`() throws {
        let host = "testcampaign.instance.com"
        var configuration = TestConfiguration()
        configuration.allowedHosts = [host]
        try TestGateway.run(.embedded, configuration) { gateway in
            let connection = try gateway.connect(hostName: host)
            for key in ["sound", "uri"] {
                let link = try #require(try Sample.legacyMessage()["data"][key].string)
                let path = String(link.dropFirst("http://\(host)".count))
                try #expect(connection.send("GET", path).status == 200)
                let hit = try #require(try gateway.ask("GET", "/tracking")["hits"].array.last)
                #expect(hit["action"].string == path.split(separator: ",").last.map(String.init))
                #expect(hit["flags"].array.contains("link"))
            }
        }
    }

    @Test func `an image for a topic reaches each platform in its way`() throws {
        try TestGateway.run { gateway in
            let phones = try [
                gateway.phone("ios", Sample.iPhone(["extension": ["script": "firebase"]])), gateway.phone("android"),
                gateway.phone("web"),
            ]
            for phone in phones {
                try phone.ask("topic", ["op": "subscribe", "name": "industry-tech"])
                _ = try phone.received()
            }
            let sent = try gateway.sendFCM(body: Sample.bytes("samples/fcm-image-rest-as-printed.txt"))
            #expect(sent.status == 200)
            let image: TestJSON = "https://foo.bar/pizza-monster.png"
            let frames = try phones.map { try $0.received() }
            let payload = try #require(frames[0].payloads.first)
            #expect(payload["aps"] == ["alert": ["title": "Sparky says hello!"], "mutable-content": 1])
            #expect(payload["fcm_options"] == ["image": image])
            #expect(frames[0].data(of: "attachment") == [["url": image, "outcome": "skipped"]])
            #expect(frames[0].data(of: "presented").map { $0["title"] } == ["Sparky says hello! [modified]"])
            #expect(frames[0].data(of: "tracking") == [])
            // In a header for browsers the image is never shown.
            #expect(
                frames.dropFirst().map { $0.payloads.map { $0["notification"] } } == [
                    [["title": "Sparky says hello!", "image": image]], [["title": "Sparky says hello!"]],
                ])
            #expect(gateway.events().contains { $0.findings.contains("fcm.webpush-image") })
        }
    }

    @Test func `an SDK's spelling is refused, and so is a URL without an extension`() throws {
        try TestGateway.run { gateway in
            let spelled = try Sample.json("fcm-image-sdk-shape.json")
            try #expect(
                violations(spelled, gateway) == [
                    "Invalid JSON payload received. Unknown name \"imageUrl\" at 'message.android.notification': "
                        + "Cannot find field."
                ])
            let image: TestJSON = ["notification": ["image": TestJSON(Sample.imageURLs[0].url)]]
            let message = spelled["message"].merging(["android": image])
            try #expect(violations(["message": message], gateway).count == 1)
            for (url, rule) in Sample.imageURLs {
                let apns: TestJSON = [
                    "payload": ["aps": ["alert": "x", "mutable-content": 1]], "fcm_options": ["image": TestJSON(url)],
                ]
                let answer = try gateway.sendFCM(["topic": "t", "apns": apns])
                #expect(answer.status == (rule == nil ? 200 : 400), "\(url)")
                #expect(answer.text.contains("message.apns.fcm_options.image") == (rule != nil))
            }
        }
    }

    @Test func `mutable-content is a member of aps, not a header`() throws {
        try TestGateway.run { gateway in
            let phone = try gateway.phone("ios", Sample.iPhone(["extension": ["script": "firebase"]]))
            let message: TestJSON = ["token": TestJSON(phone.token("fcm")), "notification": ["title": "T"]]
            func apns(_ block: TestJSON) -> TestJSON { message.merging(["apns": block]) }
            try #expect(
                violations(["message": apns(["headers": ["mutable-content": 1]])], gateway).first??.contains(
                    "Invalid value at 'message.apns.headers[0].value' (TYPE_STRING), 1") == true)
            try #expect(gateway.sendFCM(apns(["headers": ["mutable-content": "1"]])).status == 200)
            #expect(gateway.events().contains { $0.findings.contains("fcm.mutable-content-misplaced") })
            var frames = try phone.received()
            #expect(frames.payloads.map { $0["aps"] } == [["alert": ["title": "T"]]])
            #expect(frames.data(of: "presented").map { $0["title"] } == ["T"])
            try #expect(gateway.sendFCM(apns(["payload": ["aps": ["mutable-content": 1]]])).status == 200)
            frames = try phone.received()
            #expect(frames.data(of: "presented").map { $0["title"] } == ["T [modified]"])
        }
    }
}

import PushpitTesting
import Testing

@testable import Gateway

/// Adobe's payloads for iPhones: which alerts, callbacks and reports they cause, and the faults that they came with.
@Suite struct AppleSampleTests {
    private func rule(_ answer: TestResponse) -> String? { answer.status == 200 ? nil : answer.json["rule"].string }

    @Test func `Adobe's payload is an alert, and its media is for the extension`() throws {
        try TestGateway.run { gateway in
            let phone = try gateway.phone("ios", Sample.iPhone(["extension": ["script": "adobe"]]))
            for (payload, count) in try [(Sample.appleAlert(), 1), (Sample.testerAlert(), 0)] {
                try #expect(gateway.push(payload, to: phone.token()).status == 200)
                let frames = try phone.received()
                #expect(frames.payloads == [payload])
                #expect(frames.data(of: "presented").map { $0["title"] } == ["Push Notification Title"])
                #expect(frames.data(of: "badge") == [["badge": payload["aps"]["badge"]]])
                let media = try Sample.appleAlert()["media-attachment-url"]
                #expect(frames.data(of: "attachment").map { $0["url"] } == Array(repeating: media, count: count))
            }
        }
    }

    @Test func `an alert that is declared as a background push is accepted with a finding`() throws {
        try TestGateway.run { gateway in
            let silent: TestJSON = ["aps": ["content-available": 1], "_mId": "h138a"]
            for (payload, count) in [(silent, 0), (try Sample.appleAlert(), 1)] {
                let answer = try gateway.push(payload, fields: ["apns-push-type": "background"])
                #expect(answer.status == 200)
                #expect(gateway.events().count { $0.findings.contains("background.with-alert") } == count)
            }
        }
    }

    @Test func `a payload that lost its markup is not JSON`() throws {
        try TestGateway.run { gateway in
            let answer = try gateway.send(
                "POST", "/3/device/\(TestGateway.unknownToken)", headers: gateway.pushFields(),
                body: Sample.bytes("samples-2018/adobe-ios-markup-lost.txt"))
            #expect(answer.status == 400 && rule(answer) == "payload.not-json")
        }
    }

    @Test func `media needs mutable-content and a URL with an extension`() throws {
        try TestGateway.run { gateway in
            let alert = try Sample.appleAlert()
            try #expect(
                rule(gateway.push(alert.without("mutable-content"))) == "media.needs-mutable-content")
            try #expect(gateway.push(Sample.testerAlert().without("mutable-content")).status == 200)
            for (url, expected) in Sample.imageURLs {
                let payload = alert.merging(["media-attachment-url": TestJSON(url)])
                try #expect(rule(gateway.push(payload)) == expected, "\(url)")
            }
            #expect(
                gateway.events().contains { $0.kind == "refused" && $0.findings.contains("media.http") },
                "the URL in clear text has two faults")
        }
        var configuration = TestConfiguration()
        configuration.validation = .service
        try TestGateway.run(.embedded, configuration) { gateway in
            for (url, _) in Sample.imageURLs {
                let payload = try Sample.appleAlert().merging(["media-attachment-url": TestJSON(url)])
                try #expect(gateway.push(payload).status == 200)
            }
            let findings = Set(gateway.events().flatMap(\.findings))
            #expect(findings.isSuperset(of: ["media.no-file-extension", "media.host-looks-like-a-file"]))
        }
    }

    /// Where the app is, the payload, its callbacks in their order, and the reported actions.
    static let callbacks: [(state: String, payload: @Sendable () throws -> TestJSON, names: [String], hits: [String])] =
        [
            ("background", { try Sample.appleAlert() }, ["didReceiveRemoteNotification"], ["7"]),
            ("suspended", { try Sample.appleAlert() }, ["didReceiveRemoteNotification"], ["7"]),
            // Both callbacks, and one report.
            ("foreground", { try Sample.appleAlert() }, ["didReceiveRemoteNotification", "willPresent"], ["7"]),
            ("forceQuit", { try Sample.appleAlert() }, [], []),
            // Without content-available the app's code runs in the foreground only.
            ("background", { try Sample.appleAlert().without("content-available") }, [], []),
            ("foreground", { try Sample.appleAlert().without("content-available") }, ["willPresent"], ["7"]),
            ("background", { try silent() }, ["didReceiveRemoteNotification"], ["7"]),
            ("foreground", { try silent() }, ["didReceiveRemoteNotification"], []),
            ("background", { try Sample.testerAlert() }, [], []),
            ("foreground", { try Sample.testerAlert() }, ["willPresent"], []),
        ]

    private static func silent() throws -> TestJSON {
        try Sample.appleAlert().without("media-attachment-url").merging(["aps": ["content-available": 1]])
    }

    @Test(arguments: callbacks.indices) func `the app's callbacks depend on its state, and so do the reports`(
        index: Int
    ) throws {
        let row = Self.callbacks[index]
        try TestGateway.run { gateway in
            let phone = try gateway.phone("ios", Sample.iPhone(["state": ["app": TestJSON(row.state)]]))
            try #expect(gateway.push(row.payload(), to: phone.token(), fields: ["apns-priority": "5"]).status == 200)
            let frames = try phone.received()
            #expect(frames.data(of: "callback").map { $0["name"].string } == row.names)
            let hits = frames.data(of: "tracking")
            #expect(hits.map { $0["action"].string } == row.hits)
            #expect(hits.allSatisfy { $0["broadlogId"] == "h138a" && $0["deliveryId"] == "56c4" && $0["mcId"] == "E" })
        }
    }

    static let acts: [(category: String, kind: String, hits: [String])] = [
        ("NEW_MESSAGE_CATEGORY", "dismiss", []), ("DEFAULT", "dismiss", ["2"]),
        ("NEW_MESSAGE_CATEGORY", "open", ["2", "1"]),
    ]

    @Test(arguments: acts.indices) func `a dismissal is reported if the category asks for it`(index: Int) throws {
        let row = Self.acts[index]
        try TestGateway.run { gateway in
            let phone = try gateway.phone("ios", Sample.iPhone())
            let alert = try Sample.appleAlert()
            let aps = alert["aps"].merging(["category": TestJSON(row.category)])
            try gateway.push(alert.merging(["aps": aps]), to: phone.token())
            let key = try #require(phone.received().data(of: "presented").first)["key"]
            try phone.ask("act", ["notification": key, "kind": TestJSON(row.kind)])
            try #expect(phone.received().data(of: "tracking").map { $0["action"].string } == row.hits)
        }
    }
}

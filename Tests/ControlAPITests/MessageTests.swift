import HTTPCore
import JSON
import PushCore
import Testing

@testable import ControlAPI

/// What a push looks like in the API. One push of every kind, sent by `Pushes`.
struct MessageTests {
    @Test func `a device push has all members`() throws {
        let pushes = try Pushes()
        let message = try pushes.message("alert")
        #expect(message.at("time") == "2027-01-15T08:00:00.000Z")
        #expect(
            message.without("id", "seq", "time", "apnsId", "findings", "request") == [
                "provider": "apns", "app": .string(TestHost.app), "environment": "production",
                "target": ["token": .string(pushes.words["phone"] ?? "")], "devices": ["phone"], "pushType": "alert",
                "priority": "10", "expiration": nil, "collapseId": "c1", "outcome": "accepted", "status": 200,
                "reason": nil, "why": "apns.received",
            ])
        #expect(message.at("findings").elements.count == 1)
        let finding = message.at("findings", 0).without("message")
        #expect(finding == ["rule": "auth.unknown-key", "severity": "note", "path": "headers/authorization"])
        let authorization = "bearer sha256:"
        #expect(message.at("request", "headers", 1, 1).text?.hasPrefix(authorization) == true)
        #expect(
            message.at("request") == [
                "method": "POST", "path": .string("/3/device/\(pushes.words["phone"] ?? "")"), "body": Pushes.bread,
                "headers": [
                    ["apns-topic", .string(TestHost.app)], ["authorization", message.at("request", "headers", 1, 1)],
                    ["apns-push-type", "alert"], ["apns-collapse-id", "c1"], ["apns-priority", "10"],
                ],
            ])
    }

    /// App, target, devices, and FCM's project.
    @Test func `a message names its target and the devices that it was for`() throws {
        let pushes = try Pushes()
        func word(_ name: String) -> JSONValue { .string(pushes.words[name] ?? "") }
        let rows: [(String, String, JSONValue, JSONValue, JSONValue)] = [
            ("voip", TestHost.otherApp, ["token": .string(TestHost.token)], ["d1"], nil),
            ("broadcast", TestHost.app, ["channel": word("channel")], [], nil),
            ("wrong", TestHost.app, ["token": word("phone")], [], nil),
            ("token", "com.example.droid", ["token": word("droid")], ["droid"], "shop"),
            ("fid", "com.example.droid", ["fid": word("install")], ["droid"], "shop"),
            ("topic", "shop", ["topic": "news"], ["droid"], "shop"),
            ("condition", "shop", ["condition": "'news' in topics"], ["droid"], "shop"),
            ("odd", "other", ["token": "x"], [], "other"),
        ]
        for (name, app, target, devices, project) in rows {
            let message = try pushes.message(name)
            #expect(message.at("app").text == app && message.at("target") == target, "\(name): \(message)")
            #expect(message.at("devices") == devices && message.at("project") == project, "\(name): \(message)")
        }
        let message = try pushes.message("token")
        #expect(message.at("priority") == "high" && message.at("expiration") == "60s")
        #expect(message.at("collapseId") == "k" && message.at("pushType") == .null)
    }

    @Test func `a refused push says why`() throws {
        let wrong = try Pushes().message("wrong")
        #expect(wrong.at("outcome") == "refused" && wrong.at("status") == 400 && wrong.at("reason") == "InvalidPayload")
        #expect(wrong.at("why") == "aps.wrong-type")
        let finding = wrong.at("findings").elements.last?.without("message")
        #expect(finding == ["rule": "aps.wrong-type", "severity": "error", "path": "/aps/badge"])
    }

    @Test func `a single message is the same as in the list`() throws {
        let pushes = try Pushes()
        for message in pushes.named.values {
            #expect(try pushes.host.ask(.get, "/messages/\(message.at("id").text ?? "")") == message)
        }
    }

    @Test(arguments: ["p999", "p0", "zzz", "p", "P1", "p18446744073709551616", "%2F"])
    func `a message that does not exist is not found`(_ id: String) throws {
        let host = TestHost()
        host.push()
        for path in ["", "/raw", "/export?as=fcm"] {
            let problem = try host.problem(.get, "/messages/\(id)\(path)")
            #expect(problem == .init(status: 404, code: "notFound", pointer: nil), "\(id)\(path)")
        }
    }

    @Test(arguments: Pushes.filters)
    func `each filter finds the matching messages`(_ query: String, _ expected: String) throws {
        let pushes = try Pushes()
        let filled = pushes.filled(query)
        let found = try pushes.host.ids(filled)
        let wanted = try expected.split(separator: " ").map { try pushes.message(String($0)).at("id").text }
        #expect(found == wanted, "\(filled)")
    }

    static let badQueries = [
        ("colour=red", "colour"), ("outcome=maybe", "outcome"), ("provider=huawei", "provider"), ("limit=0", "limit"),
        ("since=yesterday", "since"), ("until=", "until"), ("since=-1", "since"), ("status=x", "status"),
        ("status=1000", "status"), ("/a~2=1", "/a~2"), ("/a=1&/a=2", "/a"),
    ]

    @Test(arguments: badQueries)
    func `an unknown filter is named, and nothing is deleted`(_ query: String, _ name: String) throws {
        let host = TestHost()
        host.push()
        for method: Method in [.get, .delete] {
            let problem = try host.problem(method, "/messages?\(query)")
            #expect(problem == .init(status: 400, code: "badQuery", pointer: nil))
            #expect(problem.message.contains("'\(name)"), "\(problem.message)")
        }
        #expect(try host.messages().count == 1)
    }
}

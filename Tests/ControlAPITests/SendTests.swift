import APNs
import HTTPCore
import JSON
import PushCore
import PushEngine
import Testing

@testable import ControlAPI

/// Pushes that the control API sends.
struct SendTests {
    private static let topic: JSONValue = ["apns-topic": .string(TestHost.app)]
    private static let alert: JSONValue = ["aps": ["alert": "Breakfast"]]

    private func apple(_ headers: JSONValue = topic, _ body: JSONValue = alert, token: String = TestHost.token)
        -> JSONValue
    {
        ["provider": "apns", "token": .string(token), "headers": headers, "body": body]
    }

    private func google(_ message: JSONValue, project: String = "shop") -> JSONValue {
        ["provider": "fcm", "project": .string(project), "body": ["message": message]]
    }

    @Test func `a push to an iPhone is sent like that of a provider with credentials`() throws {
        for auth in [APNsPolicy.Auth.lenient, .strict] {
            let host = TestHost { $0.apns.auth = auth }
            let sent = try host.ask(.post, "/messages", apple(), status: 201)
            #expect(sent.at("outcome") == "accepted" && sent.at("status") == 200)
            #expect(sent.at("findings").elements.isEmpty)
            #expect(try host.ask(.get, "/messages/\(sent.at("id").text ?? "")") == sent)
            #expect(try host.stat("devices") == 1 && host.stat("accepted") == 1)
            #expect(host.workRequests > 0 && host.sent.map(\.rule) == [nil])
        }
    }

    @Test func `a message to Google is sent with a token of its project`() throws {
        for auth in [APNsPolicy.Auth.lenient, .strict] {
            let host = TestHost { $0.apns.auth = auth }
            let sent = try host.ask(
                .post, "/messages", google(["topic": "news", "notification": ["title": "Hello"]]), status: 201)
            #expect(sent.at("outcome") == "accepted" && sent.at("project") == "shop")
            let rules = sent.at("findings").elements.compactMap { $0.at("rule").text }
            #expect(rules == ["fcm.no-subscribers"])
        }
    }

    @Test func `a refused push is in the list, and says why`() throws {
        let host = TestHost()
        let sent = try host.ask(.post, "/messages", apple(["apns-priority": "7"]), status: 201)
        #expect(sent.at("outcome") == "refused" && sent.at("reason") == "BadPriority")
        let typo = google(["topic": "news", "notification": ["titel": "x"]])
        #expect(try host.ask(.post, "/messages", typo, status: 201).at("status") == 400)
        let unknown = apple(token: "dead0410" + String(repeating: "0", count: 56))
        #expect(try host.ask(.post, "/messages", unknown, status: 201).at("reason") == "Unregistered")
        #expect(try host.stat("refused") == 3)
    }

    @Test func `a push without a topic is refused as Apple does`() throws {
        let sent = try TestHost().ask(.post, "/messages", apple([:]), status: 201)
        #expect(sent.at("reason") == "MissingTopic")
    }

    @Test func `faults hit these pushes too`() throws {
        let host = TestHost()
        let answer: JSONValue = ["answer": ["status": 503, "reason": "Shutdown"]]
        try host.ask(.post, "/faults", ["match": [:], "effect": answer, "times": 1], status: 201)
        #expect(try host.ask(.post, "/messages", apple(), status: 201).at("status") == 503)
        #expect(try host.ask(.post, "/messages", apple(), status: 201).at("status") == 200)
    }

    @Test func `a push is sent again, without the credentials of its sender`() throws {
        let host = TestHost()
        for body in [apple(["apns-topic": .string(TestHost.app), "apns-priority": "5"]), google(["topic": "news"])] {
            let first = try host.ask(.post, "/messages", body, status: 201)
            let path = "/messages/\(first.at("id").text ?? "")/send"
            let second = try host.ask(.post, path, status: 201)
            #expect(first.at("id") != second.at("id"))
            #expect(first.at("request", "body") == second.at("request", "body"))
            #expect(first.at("priority") == second.at("priority") && first.at("target") == second.at("target"))
        }
        #expect(try host.problem(.post, "/messages/p99/send").status == 404)
    }

    @Test func `a push in the sandbox is sent again to the sandbox`() throws {
        let host = TestHost()
        let body = apple().merging(["environment": "sandbox"])
        let first = try host.ask(.post, "/messages", body, status: 201)
        #expect(first.at("environment") == "sandbox" && first["apnsUniqueId"] != nil)
        let second = try host.ask(.post, "/messages/\(first.at("id").text ?? "")/send", status: 201)
        #expect(second.at("environment") == "sandbox")
    }

    @Test func `wrong members are named`() throws {
        let rows: [(JSONValue, String)] = [
            ([:], "/provider"), (["provider": "mail"], "/provider"), (["provider": "fcm", "body": [:]], "/project"),
            (["provider": "fcm", "project": "a/b", "body": [:]], "/project"),
            (["provider": "fcm", "project": "..", "body": [:]], "/project"),
            (["provider": "fcm", "project": "shop"], "/body"),
            (apple(["apns-topic": "a\r\nb: c"]), "/headers/apns-topic"), (apple(["a\n": "b"]), "/headers/a\n"),
            (apple(["a": "\u{0}"]), "/headers/a"), (apple([":path": "/3/device/x y"]), "/headers/:path"),
            (apple([":scheme": "https"]), "/headers/:scheme"),
            (["provider": "apns", "headers": 7], "/headers"), (["provider": "apns", "titel": 7], "/titel"),
            (["provider": "apns", "token": 7], "/token"), (["provider": "apns", "environment": "x"], "/environment"),
        ]
        let host = TestHost()
        for (body, pointer) in rows {
            let problem = try host.problem(.post, "/messages", body)
            #expect(problem.status == 400 && problem.pointer == pointer, "\(body)")
        }
        #expect(try host.stat("messages") == 0)
    }

    @Test func `a path of Apple's that takes no push is refused, and a broadcast is a push`() throws {
        let host = TestHost()
        let fields = Self.topic.merging(["apns-expiration": "0", "apns-push-type": "liveactivity"])
        let call = apple(fields.merging([":path": "/1/apps/com.example.app/channels"]))
        #expect(try host.problem(.post, "/messages", call).pointer == "/headers/:path")
        let broadcast = apple(fields.merging([":path": "/4/broadcasts/apps/com.example.app"]))
        #expect(try host.ask(.post, "/messages", broadcast, status: 201).at("reason") == "MissingChannelId")
    }
}

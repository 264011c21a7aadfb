import APNs
import FCM
import HTTPCore
import JSON
import PushCore
import PushEngine
import Testing
import TLS

@testable import ControlAPI

/// `/check` judges a push as if it were sent: each row is checked, then sent, and both results must be equal.
struct CheckTests {
    private static let image: JSONValue = ["aps": ["alert": "x"], "fcm_options": ["image": "https://a.example/b.png"]]
    private static let hello: JSONValue = ["aps": ["alert": "x"]]

    /// Fields other than the usual ones, the body, and the device token. A body that is a text is sent as it is.
    static let pushes: [(JSONValue, JSONValue, String)] = [
        ([:], hello, TestHost.token), (["apns-priority": "7"], hello, TestHost.token),
        (["apns-push-type": "voip"], ["aps": [:]], TestHost.token),
        (["apns-topic": "a b"], ["aps": [:]], TestHost.token),
        (["apns-expiration": "soon"], ["aps": [:]], TestHost.token), (["apns-id": "x"], ["aps": [:]], TestHost.token),
        (["apns-collapse-id": .string(String(repeating: "c", count: 65))], ["aps": [:]], TestHost.token),
        ([:], ["aps": ["badge": "1"]], TestHost.token),
        ([:], ["aps": ["alert": .string(String(repeating: "x", count: 4096))]], TestHost.token),
        ([:], image, TestHost.token),
        ([:], image.merging(["aps": ["alert": "x", "mutable-content": 1]]), TestHost.token),
        ([:], #"{"aps":"#, TestHost.token), ([:], "", TestHost.token), ([:], ["aps": [:]], "x"),
        ([:], ["aps": [:]], ""),
        ([:], ["aps": [:]], "dead0410" + String(repeating: "0", count: 56)),
        ([:], ["aps": [:]], "dead0503" + String(repeating: "0", count: 56)),
        (["apns-push-type": "background"], ["aps": ["content-available": 1]], TestHost.token),
        (["authorization": "bearer x"], ["aps": [:]], TestHost.token),
    ]

    /// Outcome, status, reason, the rule of a refusal, and findings. Findings about credentials and subscribers are
    /// left out, because a check has neither, and so is the cause of the refusal, which a check has in `message`.
    private func verdict(_ json: JSONValue) -> [JSONValue] {
        let rules = json.at("findings").elements.compactMap { $0.at("rule").text }
        let rule = json.at("outcome") == "refused" ? json["rule"] ?? json["why"] ?? .null : .null
        let shown = rules.filter { !$0.hasPrefix("auth.") && $0 != "fcm.no-subscribers" && $0 != rule.text }
        return [json.at("outcome"), json.at("status"), json.at("reason"), rule, .texts(shown)]
    }

    private func expectNothingSent(_ host: TestHost) throws {
        #expect(try host.stat("messages") == 0 && host.stat("devices") == 0 && host.stat("events") == 0)
        #expect(try host.stat("accepted") == 0 && host.stat("refused") == 0)
    }

    @Test(arguments: pushes.indices)
    func `a push is judged as if it were sent`(_ index: Int) throws {
        let (changes, body, token) = Self.pushes[index]
        let host = TestHost()
        let headers = (["apns-topic": .string(TestHost.app)] as JSONValue).merging(changes)
        let path = "/3/device/\(token)"
        let checked = try host.ask(
            .post, "/check/apns", ["headers": headers.merging([":path": .string(path)]), "body": body])
        try expectNothingSent(host)
        let fields =
            [("authorization", TestHost.bearer)].filter { _ in headers.at("authorization") == nil }
            + headers.members.map { ($0.key, $0.value.text ?? "") }
        let answer = host.provide(.post, path, fields, body.text.map { Array($0.utf8) } ?? body.bytes)
        #expect(checked.at("status").int == Int64(answer.status))
        #expect(try checked.at("reason") == (answer.bytes.isEmpty ? .null : answer.json()["reason"] ?? .null))
        #expect(try verdict(checked) == verdict(host.newest()), "\(checked)")
        #expect((checked["message"] == nil) == (checked.at("outcome") == "accepted"))
    }

    @Test func `a push without a path is judged as one to some device, and its token if it has one`() throws {
        let host = TestHost()
        let key = try PrivateKey.generateP256()
        let added: JSONValue = [
            "keyId": "ABCDE12345", "teamId": "TEAM567890", "key": .string(String(decoding: try key.pem, as: UTF8.self)),
        ]
        try host.ask(.post, "/credentials/apns-keys", added, status: 201)
        func bearer(age: Int64) throws -> JSONValue {
            .string(try host.bearer(signedBy: key, "ABCDE12345", "TEAM567890", age: age))
        }
        let topic: JSONValue = ["apns-topic": .string(TestHost.app)]
        let accepted: JSONValue = ["outcome": "accepted", "status": 200, "reason": nil, "findings": []]
        #expect(try host.ask(.post, "/check/apns", ["headers": topic, "body": Self.hello]) == accepted)
        let signed: JSONValue = ["Apns-Topic": .string(TestHost.app), "Authorization": try bearer(age: 0)]
        #expect(try host.ask(.post, "/check/apns", ["headers": signed, "body": Self.hello]) == accepted)
        #expect(try host.ask(.post, "/check/apns", [:]).at("reason") == "MissingTopic")
        let old = topic.merging(["authorization": try bearer(age: 4000)])
        #expect(
            try host.ask(.post, "/check/apns", ["headers": old, "body": [:]]).at("reason") == "ExpiredProviderToken")
    }

    @Test func `a push to a known device is judged by its app and whether that is installed`() throws {
        let host = TestHost()
        let phone = try host.makeDevice("ios", ["id": "phone"])
        func reason(_ topic: String) throws -> JSONValue {
            let headers: JSONValue = [":path": .string("/3/device/\(token(of: phone))"), "apns-topic": .string(topic)]
            return try host.ask(.post, "/check/apns", ["headers": headers, "body": ["aps": [:]]]).at("reason")
        }
        #expect(try reason(TestHost.app) == .null)
        #expect(try reason(TestHost.otherApp) == "DeviceTokenNotForTopic")
        try host.ask(.post, "/devices/phone/act", ["kind": "uninstall"])
        #expect(try reason(TestHost.app) == "Unregistered")
    }

    /// A text is sent as it is.
    static let messages: [JSONValue] = [
        ["message": ["topic": "t"]],
        ["message": ["topic": "t", "notification": ["image": "https://a.example/b?c.png"]]],
        ["message": [:]], ["message": ["topic": "a/b"]], ["message": ["token": "x"]],
        ["message": ["topic": "t", "dat": 1]],
        ["message": ["topic": "t", "data": ["n": 7]]], ["message": ["topic": "t", "data": ["from": "x"]]],
        ["topic": "t"], [],
        "", "{", "{message:{'topic':'t',},}", ["message": ["topic": "t", "apns": ["payload": image]]],
        ["message": ["topic": "t", "data": ["k": .string(String(repeating: "x", count: 5000))]]],
        ["message": ["condition": "'a' in topic"]], ["validate_only": true, "message": ["topic": "t"]],
        ["message": ["topic": "t", "android": ["ttl": "5"]]],
        ["message": ["topic": "t", "apns": ["headers": ["apns-priority": "7"]]]],
        ["message": ["condition": "'t' in topics", "apns": ["headers": ["apns-push-type": "foo"]]]],
    ]

    @Test(arguments: messages)
    func `a message is judged as if it were sent`(_ message: JSONValue) throws {
        let host = TestHost()
        let raw = message.text.map { Array($0.utf8) } ?? message.bytes
        let checked = try host.call(.post, "/check/fcm", raw: raw).json()
        try expectNothingSent(host)
        let answer = host.send(raw: raw)
        #expect(checked.at("status").int == Int64(answer.status))
        #expect(try verdict(checked) == verdict(host.newest()), "\(checked)")
        #expect((checked["message"] == nil) == (checked.at("outcome") == "accepted"))
    }

    @Test(arguments: ["unregistered", "quota-exceeded", "internal"])
    func `a message to a token that means an error is judged by it`(_ word: String) throws {
        let host = TestHost()
        let token = "\(word):APA91b" + String(repeating: "x", count: 134)
        let sent = host.send(["token": .string(token)])
        let checked = try host.ask(.post, "/check/fcm", ["message": ["token": .string(token)]])
        #expect(checked.at("status").int == Int64(sent.status) && sent.status >= 400)
        #expect(try checked.at("reason") == host.newest().at("reason"))
    }

    @Test func `a message to an iPhone is judged by Apple's checks too`() throws {
        let host = TestHost()
        let token = "cEXAMPLEinstallation01:APA91b" + String(repeating: "x", count: 134)
        let message: JSONValue = ["token": .string(token), "apns": ["headers": ["apns-priority": "7"]]]
        let checked = try host.ask(.post, "/check/fcm", ["message": message])
        #expect(checked.at("rule") == "apns.BadPriority")
        #expect(checked.at("status").int == 400)
        #expect(host.send(message).status == 400)
    }

    @Test(arguments: [["topic": "t"], ["condition": "'t' in topics"]] as [JSONValue])
    func `a message to a topic that Apple refuses is accepted with a finding`(target: JSONValue) throws {
        let message = target.merging(["apns": ["headers": ["apns-priority": "7"]]])
        let checked = try TestHost().ask(.post, "/check/fcm", ["message": message])
        #expect(checked.at("outcome") == "accepted")
        let finding = checked.at("findings", 0)
        #expect(finding.at("rule") == "fcm.refused-by-apple")
        #expect(finding.at("path") == "/message/apns/headers/apns-priority")
    }

    @Test func `the settings of the gateway apply to checks as well`() throws {
        let body: JSONValue = ["message": ["topic": "t", "apns": ["payload": ["aps": [:]]]]]
        let chosen = TestHost {
            $0.fcmChoices = [.emptyAps]
            $0.apns.validation = .service
        }
        for (host, status) in [(TestHost(), 400), (chosen, 200)] {
            #expect(host.send(raw: body.bytes).status == status)
            #expect(try host.ask(.post, "/check/fcm", body).at("status").int == Int64(status))
        }
    }

    static let refusals: [(JSONValue, String)] = [
        ([], ""), (["header": [:]], "/header"), (["headers": []], "/headers"), (["headers": "x"], "/headers"),
        (["headers": ["apns-topic": 7]], "/headers/apns-topic"), (["headers": ["": "x"]], "/headers/"),
        (["headers": ["a/b": nil]], "/headers/a~1b"), (["headers": ["ü": "x"]], "/headers/ü"),
        (["headers": ["x": .string(String(repeating: "y", count: 8001))]], "/headers/x"),
        (
            ["headers": .object([(String(repeating: "n", count: 41), "x")])],
            "/headers/" + String(repeating: "n", count: 41)
        ),
    ]

    @Test(arguments: refusals)
    func `a bad question is refused`(_ body: JSONValue, _ pointer: String) throws {
        let problem = try TestHost().problem(.post, "/check/apns", body)
        #expect(problem == .init(status: 400, code: "badField", pointer: pointer))
    }
}

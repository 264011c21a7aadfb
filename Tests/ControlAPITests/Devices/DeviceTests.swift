import HTTPCore
import JSON
import PushCore
import PushEngine
import Testing

@testable import ControlAPI

/// Devices that the API makes, one by one or by the thousand.
struct DeviceTests {
    private let host = TestHost()
    static let state: JSONValue = [
        "app": "background", "permission": "authorized", "online": true, "locked": false, "focus": false, "doze": false,
        "lowPower": false, "backgroundRefresh": true, "forceStopped": false, "directBoot": false, "locale": "en-US",
    ]
    static let iPhone: JSONValue = ["platform": "ios", "app": .string(TestHost.app)]

    static let platforms: [(String, Set<String>)] = [
        ("ios", Set(["apns", "fcm", "liveActivity"] + TokenKind.allCases.map(\.rawValue))), ("android", ["fcm"]),
        ("web", ["fcm"]),
    ]

    @Test(arguments: platforms)
    func `a device has the tokens of its platform`(_ platform: String, _ kinds: Set<String>) throws {
        let device = try host.makeDevice(platform, ["id": "x"])
        #expect(
            device.without("tokens") == [
                "id": "x", "platform": .string(platform), "app": .string(TestHost.app), "name": "x",
                "state": Self.state, "badge": 0,
                "shade": [], "tracking": ["profile": "none"], "connected": false, "installed": true,
            ])
        #expect(device.at("tokens").keys == kinds && device.at("tokens", "fcm").keys == ["token", "fid", "senderId"])
        #expect(try host.ask(.get, "/devices/x") == device)
        #expect(try host.events().map { $0.at("kind") } == ["registered"])
    }

    @Test func `a new device has the properties of its spec`() throws {
        let state: JSONValue = ["online": false, "app": "foreground"]
        let device = try host.makeDevice(
            "ios",
            [
                "id": "a/b c?ü", "name": "Ann's", "project": "shop", "environment": "sandbox", "locale": "de-DE",
                "osVersion": "18.1",
                "state": state, "tracking": nil, "backgroundBudget": 3, "texts": ["en": ["GREETING": "Hello %@"]],
            ])
        #expect(device.at("name") == "Ann's" && device.at("tokens", "fcm", "project") == "shop")
        #expect(
            device.at("tokens", "apns").without("token") == ["environment": "sandbox", "topic": .string(TestHost.app)])
        #expect(device.at("state") == Self.state.merging(state).merging(["locale": "de-DE"]))
        #expect(try host.ask(.get, "/devices/a%2Fb%20c%3F%C3%BC") == device)
        #expect(try host.makeDevice().at("id").text?.wholeMatch(of: #/d\d+/#) != nil)
    }

    static let refusals: [(JSONValue, String)] = [
        ([], ""), ([:], "/platform"), (["platform": "palm", "app": "a"], "/platform"), (["platform": "ios"], "/app"),
        (iPhone.merging(["app": ""]), "/app"),
        (iPhone.merging(["app": .string(String(repeating: "x", count: 257))]), "/app"),
        (iPhone.merging(["colour": "red"]), "/colour"), (iPhone.merging(["id": ""]), "/id"),
        (iPhone.merging(["id": 7]), "/id"),
        (iPhone.merging(["count": 0]), "/count"), (iPhone.merging(["count": 10_001]), "/count"),
        (iPhone.merging(["count": "2"]), "/count"),
        (iPhone.merging(["count": 1.5]), "/count"),
        (iPhone.merging(["id": .string(String(repeating: "x", count: 255)), "count": 1]), "/id"),
        (iPhone.merging(["environment": "moon"]), "/environment"), (iPhone.merging(["state": 7]), "/state"),
        (iPhone.merging(["state": ["online": 1]]), "/state/online"),
        (iPhone.merging(["state": ["colour": 1]]), "/state/colour"),
        (iPhone.merging(["locale": ""]), "/locale"),
        (iPhone.merging(["extension": ["script": "x"]]), "/extension/script"),
        (iPhone.merging(["extension": ["scrip": "echo"]]), "/extension/scrip"),
        (iPhone.merging(["extension": ["seconds": 3601]]), "/extension/seconds"),
        (iPhone.merging(["tracking": ["profile": "x"]]), "/tracking/profile"),
        (iPhone.merging(["tracking": ["profil": "adobe"]]), "/tracking/profil"),
        (iPhone.merging(["categories": 7]), "/categories"),
        (iPhone.merging(["categories": [["id": "a", "x": 1]]]), "/categories/0/x"),
        (iPhone.merging(["categories": [["id": "a"], 7]]), "/categories/1"),
        (
            iPhone.merging(["categories": [["id": "a", "actions": [["id": "b", "title": "B", "x": 1]]]]]),
            "/categories/0/actions/0/x"
        ),
        (iPhone.merging(["channels": [["importance": "x"]]]), "/channels/0/id"),
        (iPhone.merging(["texts": ["en": ["a": 1]]]), "/texts"),
        (iPhone.merging(["backgroundBudget": 1001]), "/backgroundBudget"),
        (iPhone.merging(["tokens": ["apns": ["token": "xy"]]]), "/tokens/apns/token"),
        (iPhone.merging(["tokens": ["apns": 7]]), "/tokens/apns"),
        (iPhone.merging(["tokens": ["fcm": ["token": "a b"]]]), "/tokens/fcm/token"),
        (iPhone.merging(["tokens": []]), "/tokens"),
        (iPhone.merging(["tokens": ["apple": [:]]]), "/tokens/apple"),
        (iPhone.merging(["tokens": ["apns": ["tokn": ""]]]), "/tokens/apns/tokn"),
        (iPhone.merging(["tokens": ["apns": ["token": .string(TestHost.token)]], "count": 2]), "/tokens"),
        (
            iPhone.merging(["tokens": ["apns": ["token": .string(TestHost.token)]], "platform": "android"]),
            "/tokens/apns"
        ),
    ]

    @Test(arguments: refusals)
    func `a bad spec is refused with the place of the error, and makes nothing`(_ body: JSONValue, _ pointer: String)
        throws
    {
        #expect(try host.problem(.post, "/devices", body) == .init(status: 400, code: "badField", pointer: pointer))
        #expect(try host.ask(.get, "/devices") == ["devices": [], "next": nil])
    }

    @Test func `tokens can be given back as they were shown, even if the app's name is as long as it may be`() throws {
        let app = String(repeating: "a", count: 256)
        let shown = try host.makeDevice("ios", app: app, ["id": "long"]).at("tokens")
        try host.ask(.delete, "/devices/long", status: 204)
        let again = try host.makeDevice("ios", app: app, ["id": "long", "tokens": shown]).at("tokens")
        #expect(again.without("liveActivity") == shown.without("liveActivity"))
    }

    @Test func `a spec can choose tokens, and the other tokens are generated`() throws {
        let tokens: JSONValue = [
            "apns": ["token": .string(String(repeating: "0a", count: 32))], "fcm": ["token": "cChosen:APA91bIt"],
        ]
        let phone = try host.makeDevice("ios", ["id": "chosen", "tokens": tokens])
        #expect(token(of: phone) == String(repeating: "0a", count: 32) && token(of: phone, "fcm") == "cChosen:APA91bIt")
        #expect(phone.at("tokens", "fcm", "fid") == "cChosen")
        #expect(host.push(to: String(repeating: "0A", count: 32)).status == 200)
        #expect(host.send(["token": "cChosen:APA91bIt"]).status == 200)
        #expect(try host.messages().map { $0.at("devices") } == [["chosen"], ["chosen"]])
        let taken: [(JSONValue, String)] = [
            (tokens, "/tokens/apns"), (["fcm": ["token": "cChosen:other"]], "/tokens/fcm"),
        ]
        for (tokens, pointer) in taken {
            let problem = try host.problem(.post, "/devices", Self.iPhone.merging(["tokens": tokens]))
            #expect(problem == .init(status: 400, code: "badField", pointer: pointer))
        }
        let long = String(repeating: "0c", count: 50)
        let other = try host.makeDevice("ios", ["tokens": ["apns": ["token": .string(long)]]])
        #expect(token(of: other) == long && !token(of: other, "fcm").isEmpty)
    }

    @Test func `an id that is in use is a conflict, and no device of that call is created`() throws {
        for id: JSONValue in ["one", "many-2"] { try host.makeDevice("ios", ["id": id]) }
        let conflict = TestHost.Problem(status: 409, code: "conflict", pointer: "/id")
        #expect(try host.problem(.post, "/devices", Self.iPhone.merging(["id": "one"])) == conflict)
        #expect(try host.problem(.post, "/devices", Self.iPhone.merging(["id": "many", "count": 3])) == conflict)
        #expect(try host.ask(.get, "/devices").at("devices").elements.map { $0.at("id") } == ["one", "many-2"])
    }

    @Test func `above the limit no device is created and none is removed`() throws {
        let host = TestHost { $0.deviceCapacity = 3 }
        for id: JSONValue in ["a", "b"] { try host.makeDevice("ios", ["id": id]) }
        let full = TestHost.Problem(status: 409, code: "tooMany", pointer: nil)
        let problem = try host.problem(.post, "/devices", Self.iPhone.merging(["count": 2]))
        #expect(problem == full && problem.message.contains("1"))
        try host.makeDevice("web", ["id": "c"])
        #expect(try host.problem(.post, "/devices", Self.iPhone) == full)
        #expect(try host.ask(.get, "/devices").at("devices").elements.map { $0.at("id") } == ["a", "b", "c"])
        #expect(try host.events("kind=unregistered") == [])
        try host.ask(.delete, "/devices/b", status: 204)
        try host.makeDevice("ios", ["id": "d"])
        #expect(try host.ask(.get, "/devices").at("devices").elements.map { $0.at("id") } == ["a", "c", "d"])
    }

    @Test func `10,000 devices are made at once`() throws {
        let body = Self.iPhone.merging(["id": "many", "count": 10_000])
        // Not by `ask`, which would compare all of the answer with its schema.
        let request = TestHost.request(.post, "/api/v1/devices", body.bytes, [])
        guard case .answer(let response) = ControlAPI.reply(to: request, host) else {
            throw Unexpected("it is deferred")
        }
        let answer = try JSONDocument(parsing: TestHost.Answer(response).bytes)
        let made = try #require(answer.root["devices"])
        #expect(made.elements.compactMap { $0["id"]?.string } == (1...10_000).map { "many-\($0)" })
        for provider in ["apns", "fcm"] {
            #expect(Set(made.elements.map { $0["tokens"]?[provider]?["token"]?.string }).count == 10_000)
        }
        #expect(try host.stat("devices") == 10_000)
        #expect(host.push(to: made[9999]?["tokens"]?["apns"]?["token"]?.string ?? "").status == 200)
        #expect(try host.newest().at("devices") == ["many-10000"])
    }
}

import HTTPCore
import JSON
import PushCore
import PushEngine
import Testing

@testable import ControlAPI

/// A gateway that is emptied, for all apps or for one.
struct ResetTests {
    private let host = TestHost()

    private func populate() throws {
        for app in [TestHost.app, TestHost.otherApp] {
            let phone = try host.makeDevice("ios", app: app, ["id": .string(app)])
            for device in [token(of: phone), "x"] { host.push(to: device, topic: app) }
            let fault: JSONValue = [
                "match": ["app": .string(app)], "effect": ["silence": true], "times": 1, "after": 1000,
            ]
            try host.ask(.post, "/faults", fault, status: 201)
        }
        try host.makeDevice("android", app: "com.example.droid", ["id": "droid", "project": "shop"])
        try host.ask(.put, "/topics/news/devices/droid", status: 204)
        host.send(["topic": "news", "data": ["k": "v"]])
        try host.ask(
            .post, "/faults", ["match": ["provider": "fcm"], "effect": ["silence": true], "after": 1000], status: 201)
        try host.ask(.put, "/media", ["url": "https://a.example/b.png", "size": 7], status: 204)
    }

    /// What is left: apps of messages, devices, apps of faults, topics, and URLs.
    private func rest() throws -> [[String]] {
        func list(_ name: String, _ read: (JSONValue) -> String?) throws -> [String] {
            try host.ask(.get, "/\(name)").at(.key(name)).elements.map { read($0) ?? "" }
        }
        return [
            Set(try list("messages") { $0.at("app").text }).sorted(), try list("devices") { $0.at("id").text },
            try list("faults") { $0.at("match", "app").text ?? "fcm" }, try list("topics") { $0.at("name").text },
            try list("media") { $0.at("url").text },
        ]
    }

    private static let all = [
        [TestHost.app, TestHost.otherApp, "shop"], [TestHost.app, TestHost.otherApp, "droid"],
        [TestHost.app, TestHost.otherApp, "fcm"], ["news"], ["https://a.example/b.png"],
    ]
    private static let nothing: [[String]] = [[], [], [], [], []]

    @Test(arguments: [nil, [:]] as [JSONValue?])
    func `a reset without an app deletes everything`(_ body: JSONValue?) throws {
        try populate()
        #expect(try rest() == Self.all)
        #expect(try host.ask(.post, "/reset", body) == ["messages": 5, "devices": 3])
        #expect(try rest() == Self.nothing)
        #expect(try host.ask(.get, "/tracking") == ["hits": [], "pushes": [], "next": nil])
        for name in ["messages", "devices", "faults"] { #expect(try host.stat(name) == 0, "\(name)") }
        #expect(try host.ask(.post, "/reset", body) == ["messages": 0, "devices": 0])
    }

    @Test func `a reset of an app or project deletes what belongs to it`() throws {
        try populate()
        var left = Self.all
        #expect(try host.ask(.post, "/reset", ["app": .string(TestHost.otherApp)]) == ["messages": 2, "devices": 1])
        for index in 0...2 { left[index].remove(at: 1) }
        #expect(try rest() == left)
        #expect(try host.ask(.post, "/reset", ["app": "shop"]) == ["messages": 1, "devices": 1])
        left[0].removeLast()
        left[1].removeLast()
        left[3] = []
        #expect(try rest() == left)
        #expect(try host.ask(.post, "/reset", ["app": "none"]) == ["messages": 0, "devices": 0])
        #expect(try rest() == left)
    }

    /// A report at the end of all tests needs the messages of tests that have ended.
    @Test func `a reset that keeps messages deletes the rest`() throws {
        try populate()
        let messages = try host.ask(.get, "/messages")
        let wish: JSONValue = ["app": .string(TestHost.otherApp), "keepMessages": true]
        #expect(try host.ask(.post, "/reset", wish) == ["messages": 0, "devices": 1])
        var left = Self.all
        for index in 1...2 { left[index].remove(at: 1) }
        #expect(try rest() == left)
        #expect(try host.ask(.get, "/messages") == messages)
        #expect(try host.ask(.post, "/reset", ["keepMessages": true]) == ["messages": 0, "devices": 2])
        #expect(try rest() == [Self.all[0], [], [], [], []])
        #expect(try host.ask(.post, "/reset", ["keepMessages": false]) == ["messages": 5, "devices": 0])
        #expect(try rest() == Self.nothing)
    }

    /// A null must not mean all apps.
    static let refusals: [(JSONValue, String)] = [
        ([], ""), (7, ""), (["ap": "x"], "/ap"), (["app": 7], "/app"), (["app": []], "/app"), (["app": nil], "/app"),
        (["app": "x", "devices": false], "/devices"),
        (["keepMessages": "yes"], "/keepMessages"),
    ]

    @Test(arguments: refusals)
    func `an invalid reset is refused and deletes nothing`(_ body: JSONValue, _ pointer: String) throws {
        try populate()
        #expect(try host.problem(.post, "/reset", body) == .init(status: 400, code: "badField", pointer: pointer))
        #expect(try rest() == Self.all)
    }

    @Test func `an expectation does not count pushes from before a reset`() throws {
        host.push()
        try host.ask(.post, "/reset")
        let nothing: JSONValue = ["met": false, "count": 0, "messages": [], "nearest": []]
        #expect(try host.ask(.post, "/expect", ["within": "0s"], status: 417).without("why") == nothing)
        host.push()
        #expect(try host.ask(.post, "/expect", ["count": 1]).at("messages") == .texts(host.ids()))
    }

    /// An expectation that waits has counted the first push, and needs another one after it was forgotten.
    @Test func `a deleted push no longer counts for an expectation that waits`() throws {
        guard
            case .deferred(.expect(let expectation)) = host.reply(.post, "/expect", raw: Array(#"{"atLeast":2}"#.utf8))
        else {
            throw Unexpected("it is decided")
        }
        host.box.engine.expectations.add(
            expectation, .init(connection: .init(slot: 1, generation: 1), stream: nil), at: 0)
        host.push()
        try host.ask(.post, "/reset")
        host.push()
        #expect(host.decided.isEmpty)
        host.push()
        #expect(
            try host.decided.map { try TestHost.Answer($0).json().at("messages") } == [.texts(host.ids().reversed())])
    }

    @Test func `numbers go on after a reset`() throws {
        host.push()
        let before = try host.newest()
        try host.ask(.post, "/reset")
        host.push()
        let after = try host.newest()
        #expect(try #require(after.at("seq").int) > #require(before.at("seq").int) && after.at("id") != before.at("id"))
        let problem = try host.problem(.get, "/messages/\(before.at("id").text ?? "")")
        #expect(problem == .init(status: 404, code: "notFound", pointer: nil))
    }

    @Test(arguments: [[:], ["app": .string(TestHost.app)]] as [JSONValue])
    func `a device that a socket watches stays, with an empty shade`(_ body: JSONValue) throws {
        let made = try host.makeDevice("ios", ["id": "watched"])
        let slot = try host.slot(of: "watched")
        let client = ClientID(slot: 1, generation: 1)
        host.box.engine.join(
            slot, .init(connection: client, wants: [.push, .event], isOfflineWhenDisconnected: true), at: host.now)
        try host.ask(.put, "/topics/news/devices/watched", status: 204)
        host.push(to: token(of: made), body: ["aps": ["alert": "x", "badge": 3]])
        try host.ask(.patch, "/devices/watched", ["state": ["online": false]])
        host.push(to: token(of: made))
        #expect(try host.ask(.get, "/devices/watched/pending").at("pending").elements.count == 1)
        #expect(try host.ask(.get, "/devices/watched").at("badge") == 3)
        #expect(try host.ask(.post, "/reset", body).at("devices") == 0)
        let device = try host.ask(.get, "/devices/watched")
        let state = (made["state"] ?? .null).merging(["online": false])
        #expect(device == made.merging(["connected": true, "state": state]))
        #expect(try host.ask(.get, "/devices/watched/pending").at("pending") == [])
        #expect(try host.ask(.get, "/topics").at("topics").elements.count == 1)
        #expect(host.notifications.dismissed.isEmpty)
        try host.ask(.patch, "/devices/watched", ["state": ["online": true]])
        host.push(to: token(of: made), body: ["aps": ["alert": "after"]])
        #expect(host.notifications.events.filter { $0.isPush }.count == 2)
        try host.ask(.delete, "/devices/watched", status: 204)
        #expect(host.notifications.dismissed == [client])
    }

    /// One app resets, pushes and expects while another is in the middle of the same.
    @Test func `two tests share a gateway if each has its own app`() throws {
        let apps = [TestHost.app, TestHost.otherApp, "com.example.third"]
        var tokens: [String: String] = [:]
        let steps: [(String) throws -> Void] = [
            { try host.ask(.post, "/reset", ["app": .string($0)]) },
            { tokens[$0] = token(of: try host.makeDevice("ios", app: $0, ["id": .string($0)])) },
            { app in
                let effect: JSONValue = ["answer": ["status": 503, "reason": "Shutdown"]]
                try host.ask(
                    .post, "/faults", ["match": ["app": .string(app)], "effect": effect, "nth": 3], status: 201)
            },
            { #expect(host.push(to: tokens[$0] ?? "", topic: $0).status == 200) },
            { #expect(host.push(to: tokens[$0] ?? "", topic: $0).status == 200) },
            { #expect(host.push(to: tokens[$0] ?? "", topic: $0).status == 503) },
            { app in
                let match: JSONValue = ["app": .string(app), "outcome": "accepted"]
                try host.ask(.post, "/expect", ["match": match, "count": 2, "within": "5s"])
                let others: JSONValue = ["match": match.merging(["device": "none"]), "never": true, "within": "0s"]
                try host.ask(.post, "/expect", others)
                #expect(try host.ask(.get, "/devices/\(app)/shade").at("shade").elements.count == 2)
                #expect(try host.messages("app=\(app)").map { $0.at("app").text } == [app, app, app])
            },
        ]
        // Each app is some steps behind the one before it, so that all steps of two apps meet in the course of the test.
        for turn in 0..<(15 * steps.count) {
            for (index, app) in apps.enumerated() where turn >= 2 * index {
                try steps[(turn - 2 * index) % steps.count](app)
            }
        }
    }
}

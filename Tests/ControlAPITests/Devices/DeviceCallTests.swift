import HTTPCore
import JSON
import PushCore
import PushEngine
import Testing

@testable import ControlAPI

/// A device's life over the API: what waits, what it shows, what a person does with it, its end.
struct DeviceCallTests {
    private let host = TestHost()

    static let calls: [(Method, String, JSONValue?)] = [
        (.get, "", nil), (.patch, "", ["state": [:]]), (.delete, "", nil), (.get, "/shade", nil),
        (.get, "/pending", nil), (.get, "/topics", nil),
        (.post, "/act", ["kind": "launch"]), (.post, "/tokens", ["op": "rotate", "provider": "fcm"]),
    ]

    @Test(arguments: calls.indices)
    func `a device that does not exist is not found`(_ index: Int) throws {
        let (method, path, body) = Self.calls[index]
        let problem = try host.problem(method, "/devices/none\(path)", body)
        #expect(problem == .init(status: 404, code: "notFound", pointer: nil) && problem.message.contains("'none'"))
    }

    @Test func `a waiting push is delivered when the device is online again`() throws {
        let phone = try host.makeDevice("ios", ["id": "phone"])
        #expect(try host.ask(.patch, "/devices/phone", ["state": ["online": false]]).at("state", "online") == false)
        host.push(
            ["apns-collapse-id": "c", "apns-expiration": "1800003600"], to: token(of: phone),
            body: ["aps": ["alert": ["title": "T", "body": "B"], "badge": 3]])
        let push = try host.newest()
        let waiting: JSONValue = [
            "id": push.at("id"), "since": push.at("time"), "expires": "2027-01-15T09:00:00.000Z", "collapseId": "c",
        ]
        #expect(try host.ask(.get, "/devices/phone/pending") == ["pending": [waiting], "next": nil])
        #expect(try host.ask(.get, "/devices/phone/shade") == ["shade": [], "badge": 0, "next": nil])
        let device = try host.ask(.patch, "/devices/phone", ["state": ["online": true]])
        let entry = device.at("shade", 0)
        #expect(entry.at("key") == "c" && entry.at("push") == push.at("id") && device.at("badge") == 3)
        #expect(entry.at("title") == "T" && entry.at("body") == "B" && device.at("shade").elements.count == 1)
        #expect(try host.ask(.get, "/devices/phone/shade") == ["shade": [entry], "badge": 3, "next": nil])
        #expect(try host.ask(.get, "/devices/phone/pending") == ["pending": [], "next": nil])
    }

    @Test func `pushes wait in their order, with their collapse keys`() throws {
        let droid = try host.makeDevice("android", ["id": "droid", "state": ["online": false]])
        for number in 1...3 { host.send(["token": .string(token(of: droid, "fcm")), "data": ["n": "\(number)"]]) }
        host.send(["token": .string(token(of: droid, "fcm")), "data": ["k": "v"], "android": ["collapse_key": "order"]])
        let pending = try host.ask(.get, "/devices/droid/pending").at("pending").elements
        #expect(try pending.map { $0.at("id").text } == host.ids().reversed())
        #expect(pending.map { $0.at("collapseId") } == [nil, nil, nil, "order"])
    }

    @Test func `the newest notification is the first in the shade`() throws {
        let phone = try host.makeDevice("ios", ["id": "phone"])
        for id in ["a", "b", "c"] { host.push(["apns-collapse-id": id], to: token(of: phone)) }
        #expect(
            try host.ask(.get, "/devices/phone/shade").at("shade").elements.map { $0.at("key") } == ["c", "b", "a"])
    }

    @Test func `a shade and waiting pushes are listed page by page`() throws {
        let phone = try host.makeDevice("ios", ["id": "phone"])
        for id in ["a", "b", "c"] { host.push(["apns-collapse-id": id], to: token(of: phone)) }
        let droid = try host.makeDevice("android", ["id": "droid", "state": ["online": false]])
        for number in 1...3 { host.send(["token": .string(token(of: droid, "fcm")), "data": ["n": "\(number)"]]) }
        for (path, name) in [("phone/shade", "shade"), ("droid/pending", "pending")] {
            let list = try host.ask(.get, "/devices/\(path)").members.first { $0.key == name }?.value.elements ?? []
            #expect(list.count == 3)
            let first = try host.ask(.get, "/devices/\(path)?limit=2")
            #expect(first[name]?.elements == Array(list.prefix(2)) && first.at("next") == "2")
            let last = try host.ask(.get, "/devices/\(path)?limit=2&cursor=2")
            #expect(last[name]?.elements == Array(list.suffix(1)) && last.at("next") == .null)
        }
    }

    @Test func `every part of the state can be changed`() throws {
        try host.makeDevice("ios", ["id": "phone"])
        var patch = JSONValue.object(
            DeviceTests.state.members.map { ($0.key, $0.value == true ? false : $0.value == false ? true : $0.value) })
        patch = patch.merging(["app": "suspended", "permission": "provisional", "locale": "fr-FR"])
        #expect(try host.ask(.patch, "/devices/phone", ["state": patch]).at("state") == patch)
        #expect(try host.ask(.patch, "/devices/phone", ["state": [:]]).at("state") == patch)
    }

    static let badPatches: [(JSONValue, String)] = [
        ([], ""), ([:], "/state"), (["state": nil], "/state"), (["state": []], "/state"),
        (["state": ["online": "no"]], "/state/online"),
        (["state": ["app": "open"]], "/state/app"), (["state": ["online": false, "x": 1]], "/state/x"),
        (["state": [:], "name": "n"], "/name"),
        (["state": ["locale": ""]], "/state/locale"), (["state": ["online": nil]], "/state/online"),
    ]

    @Test(arguments: badPatches)
    func `a bad patch is refused and changes nothing`(_ body: JSONValue, _ pointer: String) throws {
        try host.makeDevice("ios", ["id": "phone"])
        #expect(
            try host.problem(.patch, "/devices/phone", body) == .init(status: 400, code: "badField", pointer: pointer))
        #expect(try host.ask(.get, "/devices/phone").at("state") == DeviceTests.state)
    }

    /// An act, the kinds of the events that come of it, and the state of the app after it.
    static let acts: [(JSONValue, [String], String)] = [
        (["kind": "open", "notification": "n"], ["opened", "state", "callback"], "foreground"),
        (["kind": "dismiss", "notification": "n"], ["dismissed", "callback"], "background"),
        (["kind": "action", "notification": "n", "actionId": "LATER"], ["action", "callback"], "background"),
        (
            ["kind": "action", "notification": "n", "actionId": "SAY", "text": "Hi"], ["action", "callback"],
            "background"
        ),
        (["kind": "clearAll"], ["dismissed", "callback"], "background"), (["kind": "launch"], ["state"], "foreground"),
        (["kind": "forceQuit"], ["state"], "forceQuit"),
        (["kind": "uninstall"], ["unregistered", "removed"], "background"),
    ]

    private func makeActing() throws -> JSONValue {
        let actions: JSONValue = [["id": "LATER", "title": "Later"], ["id": "SAY", "title": "Say", "text": true]]
        let phone = try host.makeDevice(
            "ios", ["id": "phone", "categories": [["id": "NEWS", "customDismissAction": true, "actions": actions]]])
        host.push(["apns-collapse-id": "n"], to: token(of: phone), body: ["aps": ["alert": "x", "category": "NEWS"]])
        return phone
    }

    @Test(arguments: acts.indices)
    func `each act of a person has its events and changes the state`(_ index: Int) throws {
        let (act, kinds, state) = Self.acts[index]
        let phone = try makeActing()
        let before = try host.events().count
        let device = try host.ask(.post, "/devices/phone/act", act)
        let found = try host.events().dropFirst(before).compactMap { $0.at("kind").text }.filter { $0 != "badge" }
        #expect(found == kinds && device.at("state", "app").text == state)
        #expect(device.at("shade").elements.isEmpty == !["launch", "forceQuit"].contains(act.at("kind").text ?? ""))
        let isGone = act.at("kind") == "uninstall"
        #expect(
            device.at("installed") == .bool(!isGone) && host.push(to: token(of: phone)).status == (isGone ? 410 : 200))
    }

    static let badActs: [(JSONValue, String)] = [
        ([], ""), ([:], "/kind"), (["kind": "dance"], "/kind"), (["kind": 7], "/kind"),
        (["kind": "open"], "/notification"),
        (["kind": "open", "notification": "none"], "/notification"),
        (["kind": "open", "notification": 1], "/notification"),
        (["kind": "action", "notification": "n"], "/actionId"),
        (["kind": "action", "notification": "n", "actionId": "x"], "/actionId"),
        (["kind": "action", "notification": "n", "actionId": "LATER", "text": "Hi"], "/text"),
        (
            [
                "kind": "action", "notification": "n", "actionId": "SAY",
                "text": .string(String(repeating: "x", count: 4097)),
            ], "/text"
        ),
        (["kind": "action", "notification": "n", "actionId": "SAY", "text": 7], "/text"),
        (["kind": "launch", "app": "x"], "/app"),
        (["kind": "install"], "/type"),
    ]

    @Test(arguments: badActs)
    func `an invalid act is refused and changes nothing`(_ body: JSONValue, _ pointer: String) throws {
        _ = try makeActing()
        let events = try host.events()
        #expect(
            try host.problem(.post, "/devices/phone/act", body)
                == .init(status: 400, code: "badField", pointer: pointer))
        #expect(try host.events() == events)
    }

    @Test func `deleting a device also deletes the pushes that wait for it`() throws {
        let phone = try host.makeDevice("ios", ["id": "phone", "state": ["online": false]])
        let slot = try host.slot(of: "phone")
        let clients = [1, 2].map { ClientID(slot: $0, generation: 1) }
        for client in clients {
            host.box.engine.join(
                slot, .init(connection: client, wants: [], isOfflineWhenDisconnected: false), at: host.now)
        }
        #expect(try host.ask(.get, "/devices/phone").at("connected") == true)
        try host.ask(.put, "/topics/news/devices/phone", status: 204)
        host.push(to: token(of: phone))
        let push = try host.newest().at("id")
        try host.ask(.delete, "/devices/phone", status: 204)
        #expect(host.notifications.dismissed == clients)
        let events = try host.events("kind=dropped,unregistered").map { $0.without("seq", "time", "data") }
        let gone: JSONValue = ["app": .string(TestHost.app), "device": "phone", "why": "devices.deleted"]
        #expect(events == [gone.merging(["kind": "dropped", "push": push]), gone.merging(["kind": "unregistered"])])
        #expect(try host.problem(.delete, "/devices/phone") == .init(status: 404, code: "notFound", pointer: nil))
        #expect(try host.ask(.get, "/topics").at("topics") == [])
        // The token is unknown by now, so a push to it makes another device.
        #expect(host.push(to: token(of: phone)).status == 200)
        #expect(try host.newest().at("devices") == ["d1"])
    }
}

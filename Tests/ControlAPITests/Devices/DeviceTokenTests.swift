import HTTPCore
import JSON
import Testing

@testable import ControlAPI

/// A device's tokens over the API, and what becomes of them without the app.
struct DeviceTokenTests {
    private let host = TestHost()

    @Test func `without its app a device refuses acts of the app and changes of its tokens`() throws {
        let phone = try host.makeDevice("ios", ["id": "phone"])
        let device = try host.ask(.post, "/devices/phone/act", ["kind": "uninstall"])
        for kind: JSONValue in ["launch", "forceQuit", "uninstall"] {
            let problem = try host.problem(.post, "/devices/phone/act", ["kind": kind])
            #expect(problem == .init(status: 400, code: "badField", pointer: "/type"), "\(kind)")
        }
        for op: JSONValue in ["rotate", "delete"] {
            for provider: JSONValue in ["apns", "fcm"] {
                let problem = try host.problem(.post, "/devices/phone/tokens", ["op": op, "provider": provider])
                #expect(problem == .init(status: 409, code: "conflict", pointer: nil), "\(op) \(provider)")
            }
        }
        #expect(try host.ask(.get, "/devices/phone") == device)
        #expect(host.push(to: token(of: phone)).status == 410)
    }

    @Test func `an app that is installed again has new tokens, and its device shows no earlier notifications`() throws {
        let phone = try host.makeDevice("ios", ["id": "again"])
        try host.ask(.put, "/topics/t/devices/again", status: 204)
        host.push(to: token(of: phone), body: ["aps": ["alert": "x", "badge": 3]])
        try host.ask(.post, "/devices/again/act", ["kind": "uninstall"])
        #expect(try host.ask(.get, "/topics").at("topics") == [])
        let before = try host.events().count
        let back = try host.ask(.post, "/devices/again/act", ["kind": "install"])
        let events = try host.events().dropFirst(before)
        #expect(events.map { $0.at("kind") } == ["registered"] + Array(repeating: "token", count: 8))
        #expect(events.dropFirst().allSatisfy { $0.at("data", "cause") == "install" })
        #expect(back.at("installed") == true && back.at("shade") == [] && back.at("badge") == 0)
        let paths: [[String]] = [
            ["apns", "token"], ["liveActivity", "start"], ["voip", "token"], ["fcm", "token"], ["fcm", "fid"],
        ]
        for path in paths {
            let (old, new) = (
                phone.at("tokens", .key(path[0]), .key(path[1])), back.at("tokens", .key(path[0]), .key(path[1]))
            )
            #expect(old != new && new.text?.isEmpty == false, "\(path)")
        }
        #expect([phone, back].map { host.push(to: token(of: $0)).status } == [410, 200])
        #expect(try host.ask(.get, "/devices/again").at("shade").elements.count == 1)
    }

    @Test func `tokens are rotated and deleted`() throws {
        let phone = try host.makeDevice("ios", ["id": "phone"])
        var changed = phone
        for provider in ["apns", "fcm"] {
            changed = try host.ask(.post, "/devices/phone/tokens", ["op": "rotate", "provider": .string(provider)])
            #expect(token(of: changed, provider) != token(of: phone, provider))
        }
        #expect([phone, changed].map { host.push(to: token(of: $0)).status } == [410, 200])
        #expect([phone, changed].map { host.send(["token": .string(token(of: $0, "fcm"))]).status } == [404, 200])
        let left = try host.ask(.post, "/devices/phone/tokens", ["op": "delete", "provider": "fcm"])
        #expect(left.at("tokens").keys.intersection(["apns", "liveActivity", "fcm"]) == ["apns", "liveActivity"])
        let events = try host.events("kind=token").map { $0.at("data") }
        func change(_ provider: String, _ cause: JSONValue, _ new: JSONValue?) -> JSONValue {
            let old = provider == "fcm" && cause == "delete" ? changed : phone
            let event: JSONValue = [
                "provider": .string(provider), "cause": cause, "old": .string(token(of: old, provider)),
            ]
            return new.map { event.merging(["new": $0]) } ?? event
        }
        #expect(
            events == [
                change("apns", "rotate", .string(token(of: changed))),
                change("fcm", "rotate", .string(token(of: changed, "fcm"))),
                change("fcm", "delete", nil),
            ])
        let conflict = TestHost.Problem(status: 409, code: "conflict", pointer: nil)
        #expect(try host.problem(.post, "/devices/phone/tokens", ["op": "delete", "provider": "fcm"]) == conflict)
        try host.makeDevice("android", ["id": "droid"])
        #expect(try host.problem(.post, "/devices/droid/tokens", ["op": "rotate", "provider": "apns"]) == conflict)
    }

    static let badChanges: [(JSONValue, String)] = [
        ([], ""), ([:], "/op"), (["op": "swap", "provider": "fcm"], "/op"), (["op": "rotate"], "/provider"),
        (["op": "rotate", "provider": "x"], "/provider"), (["op": "rotate", "provider": "fcm", "x": 1], "/x"),
    ]

    @Test(arguments: badChanges)
    func `a bad change of tokens is refused`(_ body: JSONValue, _ pointer: String) throws {
        let phone = try host.makeDevice("ios", ["id": "phone"])
        #expect(
            try host.problem(.post, "/devices/phone/tokens", body)
                == .init(status: 400, code: "badField", pointer: pointer))
        #expect(try host.ask(.get, "/devices/phone") == phone)
    }
}

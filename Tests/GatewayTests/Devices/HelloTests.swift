import PushpitTesting
import Testing

/// What may be in a `hello`, and what its welcome says.
@Suite struct HelloTests {
    typealias Kind = TestGateway.Kind

    static let iPhone = DeviceSocketTests.iPhone

    static let badDevices: [(TestJSON, String)] = [
        (["platform": "palm", "app": "a"], "/device/platform"), (["platform": 1, "app": "a"], "/device/platform"),
        (["platform": "ios", "app": ""], "/device/app"), (["platform": "ios", "app": 7], "/device/app"),
        (["platform": "ios", "app": "a", "id": 7], "/device/id"), ([], "/device"), ("iphone", "/device"),
        (nil, "/device"), (["platform": "ios", "app": "a", "id": ""], "/device/id"),
        (["platform": "ios"], "/device/app"),
        (["app": "a"], "/device/platform"),
        (["platform": "ios", "app": "a", "environment": "test"], "/device/environment"),
        (["platform": "ios", "app": TestJSON(String(repeating: "a", count: 257))], "/device/app"),
        (["platform": "ios", "app": "a", "name": TestJSON(String(repeating: "n", count: 10_000))], "/device/name"),
        (["platform": "ios", "app": "a", "state": ["online": 1]], "/device/state/online"),
    ]

    static let badHellos: [(TestJSON, String)] = [
        (["resume": ["after": -1]], "/resume/after"), (["resume": 1], "/resume/after"),
        (["resume": ["after": "1"]], "/resume/after"), (["manualAck": 1], "/manualAck"),
        (["exclusive": "yes"], "/exclusive"), (["offlineWhenDisconnected": 1], "/offlineWhenDisconnected"),
        (["wants": "push"], "/wants"), (["wants": ["all"]], "/wants"), (["wants": [1]], "/wants"),
    ]

    static let handshakes: [(TestFields, String)] = [
        (["Sec-WebSocket-Version": "12"], "426"), (["Sec-WebSocket-Key": "short"], "400"),
        (["Sec-WebSocket-Protocol": "graphql-ws"], "400"), (["Origin": "http://evil.example"], "403"),
        (["Upgrade": "h2c"], "426"),
    ]

    @Test(arguments: Kind.allCases) func `hello is answered by welcome`(kind: Kind) throws {
        try TestGateway.run(kind) { gateway in
            let phone = try gateway.phone("ios", ["name": "Ann's"])
            #expect(phone.welcome["resumed"] == false)
            #expect(phone.welcome["missed"] == 0)
            #expect(phone.welcome["heartbeat"] == "30s")
            #expect(phone.welcome["serverTime"] == "2026-09-21T14:13:20.000Z")
            #expect(phone.welcome.keys.contains("ignored") == false)
            #expect(phone.device["platform"] == "ios")
            #expect(phone.device["app"] == "com.example.app")
            #expect(phone.device["name"] == "Ann's")
            #expect(phone.device["connected"] == true)
            #expect(phone.token().count == 64)
            #expect(phone.token().allSatisfy { "0123456789abcdef".contains($0) })
        }
    }

    @Test(arguments: Kind.allCases) func `a hello may come in fragments, and with the handshake`(kind: Kind) throws {
        try TestGateway.run(kind) { gateway in
            let text = Array(#"{"type":"hello","device":{"platform":"ios","app":"a","name":"Ünï 📱"}}"#.utf8)
            let parts = [text[..<1], text[1..<20], [], text[20..<70], text[70...]].map(Array.init)
            var bytes: [UInt8] = []
            for (index, part) in parts.enumerated() {
                bytes += SocketFrame(index == 0 ? 1 : 0, part, isFinal: index == parts.count - 1).bytes
            }
            let phone = try gateway.socket(following: bytes)
            try #expect(phone.next()["device"]["name"] == "Ünï 📱")
        }
    }

    @Test(arguments: badDevices) func `a bad device is an error with a pointer, and hello may come again`(
        device: TestJSON, pointer: String
    ) throws {
        try TestGateway.run { gateway in
            let phone = try gateway.socket()
            let answer = try phone.ask("hello", ["device": device])
            #expect(answer["type"] == "error")
            #expect(answer["code"] == "badDevice")
            #expect(answer["pointer"].string == pointer)
            try phone.hello(Self.iPhone)
        }
    }

    @Test(arguments: badHellos) func `a hello with a wrong member is an error with a pointer`(
        fields: TestJSON, pointer: String
    ) throws {
        try TestGateway.run { gateway in
            let phone = try gateway.socket()
            let answer = try phone.ask("hello", (["device": Self.iPhone] as TestJSON).merging(fields))
            #expect(answer["type"] == "error")
            #expect(answer["pointer"].string == pointer)
            #expect(gateway.events().isEmpty, "no device was made")
            try phone.hello(Self.iPhone)
        }
    }

    @Test func `a second hello is an error`() throws {
        try TestGateway.run { gateway in
            let phone = try gateway.phone()
            try #expect(phone.ask("hello", ["device": Self.iPhone])["type"] == "error")
            try #expect(phone.ask("hello")["type"] == "error")
            try #expect(gateway.ask("GET", "/devices")["devices"].array.count == 1)
        }
    }

    @Test func `a message before hello is an error, except ping`() throws {
        try TestGateway.run { gateway in
            let phone = try gateway.socket()
            try #expect(phone.ask("state", ["set": [:]])["code"] == "noHello")
            try #expect(phone.ask("ping")["type"] == "pong")
        }
    }

    @Test func `members that are ignored are listed`() throws {
        try TestGateway.run { gateway in
            let spec: TestJSON = ["extention": ["script": "firebase"], "a/b": 1, "name": "n", "osVersion": "18.0"]
            let phone = try gateway.phone("ios", spec, hello: ["manualack": true])
            #expect(phone.welcome["ignored"] == ["/manualack", "/device/extention", "/device/a~1b"])
            // A device that exists stays as it is; members that repeat what it is are not worth a word.
            let other = try gateway.socket()
            try other.hello(
                [
                    "id": TestJSON(phone.id), "platform": "android", "app": "com.example.app",
                    "extension": ["script": "firebase"],
                ])
            #expect(other.welcome["ignored"] == ["/device/platform", "/device/extension"])
            let same = try gateway.socket()
            let device = phone.device.keys.filter { $0 != "state" }.reduce(([:] as TestJSON)) {
                $0.merging(TestJSON(members: [($1, phone.device[$1])]))
            }
            try same.hello(device)
            #expect(same.welcome.keys.contains("ignored") == false)
        }
    }

    @Test func `the handshake requires the control API's token`() throws {
        var configuration = TestConfiguration()
        configuration.apiToken = "open-sesame"
        try TestGateway.run(.embedded, configuration) { gateway in
            try #expect(gateway.phone().device["connected"] == true)
            let failure = #expect(throws: TestFailure.self) {
                try gateway.socket(fields: ["Authorization": "Bearer x"])
            }
            #expect(failure?.description.contains("HTTP/1.1 401") == true)
        }
    }

    @Test func `an invalid handshake is refused`() throws {
        try TestGateway.run { gateway in
            for (fields, status) in Self.handshakes {
                let failure = #expect(throws: TestFailure.self) { try gateway.socket(fields: fields) }
                #expect(failure?.description.contains("HTTP/1.1 \(status) ") == true, "\(failure.debugDescription)")
            }
            try gateway.socket(fields: ["Sec-WebSocket-Protocol": "x, pushpit.device.v1"]).hello(Self.iPhone)
        }
    }
}

import PushpitTesting
import Testing

/// The device protocol on an open socket: hello and its answers, pushes to the device that they name, ends.
@Suite struct DeviceSocketTests {
    typealias Kind = TestGateway.Kind

    static let iPhone: TestJSON = ["platform": "ios", "app": "com.example.app"]

    @Test(arguments: Kind.allCases) func `ping is answered, as a message and as a frame`(kind: Kind) throws {
        try TestGateway.run(kind) { gateway in
            let phone = try gateway.phone()
            try phone.send("ping")
            try #expect(phone.next() == ["type": "pong"])
            try phone.ping(Array("are you there?".utf8))
            try #expect(phone.received() == [])
            #expect(phone.pongs == [Array("are you there?".utf8)])
        }
    }

    @Test func `an unknown type is an error with its ref`() throws {
        try TestGateway.run { gateway in
            let phone = try gateway.phone()
            for ref: TestJSON in ["r-1", 17, ["an": "object"]] {
                try phone.send("dance", ["ref": ref])
                let answer = try phone.next()
                #expect(answer["type"] == "error")
                #expect(answer["ref"] == ref)
                #expect(answer["code"] == "unknownType")
                #expect(answer["message"].string?.contains("dance") == true)
            }
            try phone.send("dance")
            try #expect(phone.next().keys.contains("ref") == false)
        }
    }

    static let badMessages = [
        "hello", #"{"type":"#, "", "[]", #""hello""#, "{}", #"{"type":1}"#, #"{"type":"ping"} x"#,
        String(repeating: "[", count: 100_000),
    ]

    @Test(arguments: badMessages)
    func `invalid text is answered with an error and the socket stays open`(text: String) throws {
        try TestGateway.run { gateway in
            let phone = try gateway.socket()
            try phone.send(text: text)
            let answer = try phone.next()
            #expect(answer["type"] == "error")
            #expect(answer["code"] == "badMessage")
            #expect(answer["message"].string?.isEmpty == false)
            try phone.hello(Self.iPhone)
        }
    }

    @Test(arguments: Kind.allCases)
    func `a hello for an unknown device closes the socket with 4001`(kind: Kind) throws {
        try TestGateway.run(kind) { gateway in
            let phone = try gateway.socket()
            try phone.send("hello", ["device": ["id": "missing"]])
            try #expect(phone.waitForClose() == 4001)
        }
    }

    @Test(arguments: Kind.allCases) func `every socket of a device gets its pushes, and no other does`(kind: Kind)
        throws
    {
        try TestGateway.run(kind) { gateway in
            let first = try gateway.phone()
            let second = try gateway.phone(watching: first)
            let other = try gateway.phone()
            #expect(second.token() == first.token())
            #expect(other.token() != first.token())
            try gateway.push(to: first.token())
            let pushes = try [first, second].map { try $0.next("push") }
            #expect(pushes[0] == pushes[1])
            #expect(pushes[0]["provider"] == "apns")
            #expect(pushes[0]["app"] == "com.example.app")
            #expect(pushes[0]["headers"] == ["apns-topic": "com.example.app"])
            #expect(pushes[0]["payload"] == ["aps": ["alert": "Hello"]])
            try #expect(other.received() == [])
        }
    }

    @Test(arguments: Kind.allCases) func `pushes come in their order with growing numbers`(kind: Kind) throws {
        try TestGateway.run(kind) { gateway in
            let phone = try gateway.phone(hello: ["wants": ["push"]])
            let calls = try (0..<20).map { try gateway.startPush(["n": TestJSON($0)], to: phone.token()) }
            for call in calls { try #expect(call.answer().status == 200) }
            let pushes = try (0..<20).map { _ in try phone.next() }
            #expect(pushes.map { $0["payload"]["n"].int } == Array(0..<20))
            let numbers = pushes.compactMap { $0["seq"].int }
            #expect(numbers == Array(Set(numbers)).sorted())
        }
    }

    @Test(arguments: Kind.allCases) func `a refused push makes no frame`(kind: Kind) throws {
        try TestGateway.run(kind) { gateway in
            let phone = try gateway.phone()
            try #expect(gateway.push(TestJSON(String(repeating: "x", count: 5000)), to: phone.token()).status == 413)
            try #expect(phone.received() == [])
        }
    }

    @Test(arguments: Kind.allCases)
    func `when one socket closes, the others still get their pushes`(kind: Kind) throws {
        try TestGateway.run(kind) { gateway in
            let first = try gateway.phone()
            let second = try gateway.phone(watching: first)
            try first.close()
            try gateway.push(to: second.token())
            try #expect(second.next("push")["attempt"] == 1)
        }
    }

    @Test(arguments: Kind.allCases)
    func `a client that claims a device for itself closes the other sockets with 4002`(kind: Kind)
        throws
    {
        try TestGateway.run(kind) { gateway in
            let first = try gateway.phone()
            let second = try gateway.phone(watching: first)
            let third = try gateway.phone(watching: first, hello: ["exclusive": true])
            try #expect(first.waitForClose() == 4002)
            try #expect(second.waitForClose() == 4002)
            try gateway.push(to: third.token())
            try #expect(third.next("push")["id"] == "p1")
        }
    }

    @Test(arguments: Kind.allCases) func `deleting a device closes its sockets with 4003`(kind: Kind) throws {
        try TestGateway.run(kind) { gateway in
            let first = try gateway.phone()
            let second = try gateway.phone(watching: first)
            try gateway.ask("DELETE", "/devices/\(first.id)", status: 204)
            try #expect(first.waitForClose() == 4003)
            try #expect(second.waitForClose() == 4003)
            try #expect(gateway.push(to: first.token()).status == 200, "by now the token is unknown")
            try #expect(gateway.ask("GET", "/messages")["messages"][0]["devices"][0].string != first.id)
        }
    }
}

import PushpitTesting
import Testing

/// The same bodies run against a gateway on sockets and against one without.
@Suite struct TestGatewayTests {
    typealias Kind = TestGateway.Kind

    @Test(arguments: Kind.allCases) func `a push is accepted and logged`(kind: Kind) throws {
        try TestGateway.run(kind) { gateway in
            let answer = try gateway.push()
            #expect(answer.status == 200)
            #expect(answer.body.isEmpty)
            #expect(answer["apns-id"]?.count == 36)
            #expect(answer.fieldNames == ["apns-id"])
            let events = gateway.events()
            #expect(events.map(\.kind) == ["registered", "accepted", "delivered", "presented"])
            #expect(events.map(\.id) == [nil, answer["apns-id"], nil, nil])
            #expect(events.map(\.push) == [nil, "p1", "p1", "p1"])
            #expect(events.map(\.seq) == [1, 2, 3, 4])
            #expect(events[1].findings == ["auth.unknown-key"])
        }
    }

    @Test(arguments: Kind.allCases) func `the clock stands still until a test moves it`(kind: Kind) throws {
        try TestGateway.run(kind) { gateway in
            try gateway.push()
            gateway.advanceClock(by: .seconds(3600))
            try gateway.push()
            let times = gateway.events().map(\.time)
            #expect(times.map { $0 - times[0] } == [0, 0, 0, 0, 3_600_000, 3_600_000, 3_600_000])
            #expect(times.last == gateway.milliseconds)
        }
    }

    @Test func `a live gateway says where its credentials are`() throws {
        try TestGateway.run(.live) { gateway in
            let credentials = try #require(gateway.credentials)
            #expect(credentials.authority == ".build/test-certs/ca.pem")
            #expect(credentials.providerKey.hasSuffix("/AuthKey_\(credentials.keyID).p8"))
            #expect(credentials.topic == "com.example.app")
            try #expect(#require(gateway.url).hasPrefix("https://127.0.0.1:"))
        }
        try TestGateway.run { gateway in
            #expect(gateway.credentials == nil)
            #expect(gateway.url == nil)
        }
    }

    @Test(arguments: Kind.allCases) func `a sender's own id is logged as it was sent`(kind: Kind) throws {
        try TestGateway.run(kind) { gateway in
            let id = "f47ac10b-58cc-4372-a567-0e02b2c3d479"
            let answer = try gateway.push(["aps": [:]], topic: "a.b", fields: ["apns-id": id])
            #expect(answer["apns-id"] == id)
            #expect(gateway.events().compactMap(\.id) == [id])
        }
    }

    @Test(arguments: Kind.allCases) func `a refusal is logged with its rule`(kind: Kind) throws {
        try TestGateway.run(kind) { gateway in
            try #expect(gateway.push(topic: nil).json == ["reason": "MissingTopic"])
            try #expect(gateway.push(to: "abc").status == 400)
            #expect(gateway.events().map(\.why) == ["apns.MissingTopic", "apns.BadDeviceToken"])
        }
    }

    @Test(arguments: Kind.allCases) func `a phone gets the push that was sent to it`(kind: Kind) throws {
        try TestGateway.run(kind) { gateway in
            let phone = try gateway.phone()
            try gateway.push(["aps": ["alert": "for you"]], to: phone.token())
            let push = try phone.next("push")
            #expect(push["payload"] == ["aps": ["alert": "for you"]])
            #expect(push["id"] == "p1")
            try #expect(phone.nextEvent("presented")["push"] == "p1")
            try #expect(phone.received().map { $0["kind"] } == ["delivered"], "the event before the one that was taken")
        }
    }

    @Test(arguments: Kind.allCases) func `several phones and connections have their own traffic`(kind: Kind) throws {
        try TestGateway.run(kind) { gateway in
            let (first, second) = (try gateway.phone(), try gateway.phone("android"))
            let http1 = try gateway.connect(over: .http1)
            let message: TestJSON = ["message": ["token": TestJSON(second.token("fcm")), "data": ["n": "1"]]]
            let answer = try http1.send(
                "POST", "/v1/projects/shop/messages:send", headers: ["authorization": "Bearer x"], body: message.bytes)
            #expect(answer.status == 200)
            try #expect(second.next("push")["payload"]["data"] == ["n": "1"])
            try #expect(first.received() == [])
        }
    }

    @Test(arguments: Kind.allCases) func `an answered request comes from the phone itself`(kind: Kind) throws {
        try TestGateway.run(kind) { gateway in
            let phone = try gateway.phone()
            try #expect(phone.ask("state", ["set": ["online": false]])["type"] == "ok")
            try #expect(gateway.ask("GET", "/devices/\(phone.id)")["state"]["online"] == false)
            try phone.close()
            #expect(phone.closeCode == 1000)
            try #expect(gateway.ask("GET", "/devices/\(phone.id)")["connected"] == false)
        }
    }

    @Test(arguments: Kind.allCases) func `expect returns the pushes that match`(kind: Kind) throws {
        try TestGateway.run(kind) { gateway in
            try gateway.push(["aps": ["alert": "one"]])
            try gateway.push(["aps": ["alert": "two"]], topic: "com.example.other")
            try #expect(gateway.expect(["app": "com.example.other"], .exactly(1)) == ["p2"])
            try #expect(Set(gateway.expect([:], .atLeast(2))) == ["p1", "p2"])
            #expect(throws: TestFailure.self) { try gateway.expect(["app": "a"], within: .milliseconds(20)) }
            try gateway.expect(["app": "a"], .never, within: .milliseconds(20))
            try gateway.expect([:], .atMost(2), within: .milliseconds(20))
        }
    }

    @Test func `an embedded gateway's delayed answer waits for its clock`() throws {
        try TestGateway.run { gateway in
            try gateway.ask(
                "POST", "/faults", ["effect": [["delay": "5m"], ["answer": ["status": 503, "reason": "Shutdown"]]]],
                status: 201)
            let call = try gateway.startPush()
            #expect(throws: TestFailure.self) { try call.answer() }
            gateway.advanceClock(by: .seconds(299))
            try #expect(call.answerSoFar() == nil)
            gateway.advanceClock(by: .seconds(1))
            try #expect(call.answer().status == 503)
            #expect(gateway.events().map(\.why).contains("fault.custom"))
        }
    }

    @Test(arguments: Kind.allCases) func `a body over the limit is answered and the connection lives`(kind: Kind) throws
    {
        try TestGateway.run(kind) { gateway in
            try #expect(gateway.push(TestJSON(String(repeating: "x", count: 200_000))).status == 413)
            try #expect(gateway.push().status == 200)
        }
    }

    @Test func `a client that does not read lets bytes pile up in the gateway`() throws {
        try TestGateway.run { gateway in
            let connection = try gateway.connect(over: .http1)
            connection.isReading = false
            let call = try connection.start("GET", "/livez")
            try #expect(call.answerSoFar() == nil)
            connection.isReading = true
            try #expect(call.answer().text == "ok\n")
        }
    }

    @Test func `a client certificate needs TLS, which an embedded connection does not have`() throws {
        try TestGateway.run { gateway in
            let failure = #expect(throws: TestFailure.self) { try gateway.connect(tls: .certificate([])) }
            #expect(failure?.cause == .unsupportedHere)
        }
    }

    @Test(arguments: Kind.allCases) func `two gateways of one seed give the same ids`(kind: Kind) throws {
        func ids(seed: UInt64) throws -> [String] {
            var configuration = TestConfiguration()
            configuration.seed = seed
            var ids: [String] = []
            try TestGateway.run(kind, configuration) { gateway in
                let phone = try gateway.phone()
                ids = [phone.id, phone.token(), try gateway.push()["apns-id"] ?? ""]
            }
            return ids
        }
        try #expect(ids(seed: 7) == ids(seed: 7))
        try #expect(ids(seed: 7) != ids(seed: 8))
    }

    @Test func `an embedded gateway is freed when its test ends`() throws {
        let bodies: [(String, (TestGateway) throws -> Void)] = [
            ("nothing", { _ in }), ("a push", { try $0.push() }), ("a phone", { _ = try $0.phone() }),
            ("a call over HTTP/1.1", { _ = try $0.connect(over: .http1).send("GET", "/livez") }),
            ("a waiting call", { _ = try $0.start("POST", "/api/v1/expect", body: Array("{}".utf8)) }),
        ]
        for (name, body) in bodies {
            weak var gateway: AnyObject?
            try TestGateway.run {
                gateway = $0.embedded.gateway
                try body($0)
            }
            #expect(gateway == nil, "\(name)")
        }
    }
}

import PushpitTesting
import Testing

/// The same bodies run against a gateway on a socket and against one without.
@Suite(.serialized) struct TestGatewayTests {
    enum Kind: CaseIterable { case embedded, live }

    static let token = String(repeating: "a1b2", count: 16)

    func with(_ kind: Kind, _ body: (TestGateway) throws -> Void) throws {
        let gateway =
            switch kind {
            case .embedded: TestGateway.embedded()
            case .live: try TestGateway.live(certificates: ".build/test-certs")
            }
        defer { gateway.shutDown() }
        try body(gateway)
    }

    func push(
        _ gateway: TestGateway, topic: String? = "com.example.app", body: String = "{}", token: String = token
    ) throws -> TestResponse {
        let path = "/3/device/\(token)"
        guard let topic else {
            return try gateway.send(
                "POST", path, headers: ["authorization": gateway.authorization], body: Array(body.utf8))
        }
        return try gateway.send(
            "POST", path, headers: ["authorization": gateway.authorization, "apns-topic": topic], body: Array(body.utf8)
        )
    }

    @Test(arguments: Kind.allCases) func `a push is accepted and in the log`(kind: Kind) throws {
        try with(kind) { gateway in
            let answer = try push(gateway)
            #expect(answer.status == 200)
            #expect(answer.body.isEmpty)
            #expect(answer["apns-id"]?.count == 36)
            #expect(answer.fieldCount == 1)
            let events = gateway.events()
            #expect(events.map(\.kind) == ["registered", "accepted", "delivered", "suppressed"])
            #expect(events.map(\.id) == [nil, answer["apns-id"], nil, nil])
            #expect(events[1].findings == ["auth.unknown-key"])
        }
    }

    @Test(arguments: Kind.allCases) func `the clock stands still until it is moved`(kind: Kind) throws {
        try with(kind) { gateway in
            _ = try push(gateway)
            gateway.advanceClock(milliseconds: 3_600_000)
            _ = try push(gateway)
            let times = gateway.events().map(\.time)
            #expect(times.map { $0 - times[0] } == [0, 0, 0, 0, 3_600_000, 3_600_000, 3_600_000])
        }
    }

    @Test func `a live gateway tells where its credentials are`() throws {
        try with(.live) { gateway in
            let credentials = try #require(gateway.credentials)
            #expect(credentials.authority == ".build/test-certs/ca.pem")
            #expect(credentials.providerKey.hasSuffix("/AuthKey_\(credentials.keyID).p8"))
            #expect(credentials.topic == "com.example.app")
            #expect(try #require(gateway.url).hasPrefix("https://127.0.0.1:"))
        }
        try with(.embedded) { gateway in #expect(gateway.credentials == nil) }
    }

    @Test(arguments: Kind.allCases) func `a sender's own id is in the log as it was sent`(kind: Kind) throws {
        try with(kind) { gateway in
            let id = "f47ac10b-58cc-4372-a567-0e02b2c3d479"
            let answer = try gateway.send(
                "POST", "/3/device/\(Self.token)",
                headers: ["authorization": gateway.authorization, "apns-topic": "a.b", "apns-id": id],
                body: Array("{}".utf8))
            #expect(answer["apns-id"] == id)
            #expect(gateway.events().compactMap(\.id) == [id])
        }
    }

    @Test func `an embedded gateway's faults wait for its clock`() throws {
        try with(.embedded) { gateway in
            let fault = #"{"effect":[{"delay":"5m"},{"answer":{"status":503,"reason":"Shutdown"}}]}"#
            try #expect(gateway.send("POST", "/api/v1/faults", body: Array(fault.utf8)).status == 201)
            #expect(throws: TestFailure.self) { try push(gateway) }
            gateway.advanceClock(milliseconds: 300_000)
            try #expect(gateway.send("DELETE", "/api/v1/faults").status == 204)
            try #expect(push(gateway).status == 200)
            #expect(gateway.events().map(\.why).contains("fault.custom"))
        }
    }

    @Test(arguments: Kind.allCases) func `a refusal is in the log with its rule`(kind: Kind) throws {
        try with(kind) { gateway in
            try #expect(push(gateway, topic: nil).text == #"{"reason":"MissingTopic"}"#)
            try #expect(push(gateway, token: "abc").status == 400)
            #expect(gateway.events().map(\.why) == ["apns.MissingTopic", "apns.BadDeviceToken"])
        }
    }

    @Test(arguments: Kind.allCases) func `a body over the limit is answered and the connection lives`(kind: Kind) throws
    {
        try with(kind) { gateway in
            let long = String(repeating: "x", count: 200_000)
            try #expect(push(gateway, body: long).status == 413)
            try #expect(push(gateway).status == 200)
        }
    }

    @Test(arguments: Kind.allCases) func `paths find their services`(kind: Kind) throws {
        try with(kind) { gateway in
            try #expect(gateway.send("GET", "/livez").status == 200)
            try #expect(gateway.send("GET", "/readyz").status == 200)
            try #expect(gateway.send("GET", "/metrics").text.contains("pushpit_pushes_accepted_total 0"))
            try #expect(gateway.send("GET", "/nothing").status == 404)
            try #expect(gateway.send("GET", "/v1/unknown").text.contains("Error 404 (Not Found)!!1"))
            try #expect(
                gateway.send("POST", "/3/unknown", headers: ["authorization": gateway.authorization]).status == 404)
        }
    }
}

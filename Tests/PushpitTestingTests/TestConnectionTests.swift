import PushpitTesting
import Testing

/// A test's own connections, in all their ends.
@Suite struct TestConnectionTests {
    typealias Kind = TestGateway.Kind

    @Test(arguments: Kind.allCases, TestConnection.Version.allCases)
    func `a request has its fields and its body, an answer too`(kind: Kind, version: TestConnection.Version) throws {
        try TestGateway.run(kind) { gateway in
            let connection = try gateway.connect(over: version)
            let fields: TestFields = ["X-Mine": "a", "x-mine": "b", "authorization": "Bearer x"]
            let body = Array(#"{"message":{"topic":"news"}}"#.utf8)
            let answer = try connection.send("POST", "/v1/projects/shop/messages:send", headers: fields, body: body)
            #expect(answer.status == 200)
            #expect(answer.json["name"].string?.hasPrefix("projects/shop/messages/") == true)
            #expect(answer["Content-Type"] == answer["content-type"])
            #expect(answer["missing"] == nil)
            let request = try gateway.ask("GET", "/messages")["messages"][0]["request"]
            let sent = request["headers"].array.filter { $0[0] == "x-mine" }.map { $0[1] }
            #expect(sent == ["a", "b"])
            #expect(request["body"]["message"] == ["topic": "news"])
        }
    }

    @Test(arguments: Kind.allCases, TestConnection.Version.allCases)
    func `several requests are under way at once`(kind: Kind, version: TestConnection.Version) throws {
        try TestGateway.run(kind) { gateway in
            let connection = try gateway.connect(over: version)
            let calls = try ["/livez", "/nothing", "/readyz"].map { try connection.start("GET", $0) }
            try #expect(calls.reversed().map { try $0.answer().status } == [200, 404, 200])
            try #expect(calls[1].answer().status == 404, "an answer can be read again")
            try #expect(calls[1].answerSoFar()?.status == 404)
        }
    }

    @Test(arguments: Kind.allCases) func `a reset is an error with its code, each time`(kind: Kind) throws {
        try TestGateway.run(kind) { gateway in
            try gateway.setFault(["reset": "CANCEL"], ["times": 1])
            let call = try gateway.startPush()
            for _ in 0..<2 {
                let failure = #expect(throws: TestFailure.self) { try call.answer() }
                #expect(failure?.cause == .reset(8))
            }
        }
    }

    @Test(arguments: Kind.allCases, TestConnection.Version.allCases)
    func `the end of a connection is an error for the requests under way`(kind: Kind, version: TestConnection.Version)
        throws
    {
        try TestGateway.run(kind) { gateway in
            try gateway.setFault(["close": "end"], ["times": 1])
            let connection = try gateway.connect(over: version)
            _ = try connection.start(
                "POST", "/v1/projects/p/messages:send", headers: ["authorization": "Bearer x"],
                body: Array(#"{"message":{"topic":"t"}}"#.utf8))
            try #expect(connection.isEnded())
            let failure = #expect(throws: TestFailure.self) { try connection.send("GET", "/livez") }
            #expect(failure?.cause == .ended)
        }
    }

    @Test func `an answer that does not come is an error at once in an embedded gateway`() throws {
        try TestGateway.run { gateway in
            let call = try gateway.start("POST", "/api/v1/expect", body: Array("{}".utf8))
            let failure = #expect(throws: TestFailure.self) { try call.answer() }
            #expect(failure?.cause == .nothingArrived)
            #expect(failure?.description == "POST /api/v1/expect was not answered")
        }
    }

    @Test(arguments: Kind.allCases, TestConnection.Version.allCases)
    func `a body that comes in pieces is read as it comes`(kind: Kind, version: TestConnection.Version) throws {
        try TestGateway.run(kind) { gateway in
            let call = try gateway.connect(over: version).start("GET", "/api/v1/events?since=0")
            try gateway.push()
            let body = try call.body(containing: "event: presented")
            #expect(body.contains("event: registered") && body.contains("event: accepted"))
            try #expect(call.answerSoFar() == nil)
        }
    }

    @Test func `a stream limit and a window are seen as they change`() throws {
        try TestGateway.run { gateway in
            let connection = try gateway.connect()
            #expect(connection.streamLimit == nil && connection.window == nil)
            _ = try connection.send("GET", "/livez")
            #expect(connection.streamLimits == [1000])
            try gateway.setFault([["streamLimit": 3], ["window": 10]], ["times": 1])
            _ = try gateway.startPush(on: connection).answer()
            #expect(connection.streamLimits.first == 1000 && connection.streamLimit == 3)
            #expect(connection.window == 10)
            #expect(connection.goAways.isEmpty)
        }
    }

    @Test func `interim answers are seen over HTTP 1`() throws {
        try TestGateway.run { gateway in
            let connection = try gateway.connect(over: .http1)
            let answer = try connection.send(
                "POST", "/api/v1/reset", headers: ["expect": "100-continue"], body: Array("{}".utf8))
            #expect(answer.status == 200)
            #expect(connection.interimStatuses == [100])
        }
    }

    @Test func `each role has its listener`() throws {
        try TestGateway.run(.live) { gateway in
            for role in TestRole.allCases {
                try #expect(gateway.connect(to: role).send("GET", "/livez").status == 200, "\(role)")
            }
            for tls in [TestTLS.usual, .off, .withoutALPN] {
                try #expect(gateway.connect(tls: tls).send("GET", "/livez").status == 200)
            }
            let pem = try #require(try gateway.credentials?.read("apns-client.pem"))
            try #expect(gateway.connect(tls: .certificate(pem)).send("GET", "/livez").status == 200)
            let failure = #expect(throws: TestFailure.self) { try gateway.connect().endWriting() }
            #expect(failure?.cause == .unsupportedHere)
        }
    }
}

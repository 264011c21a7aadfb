import PushpitTesting
import Testing

@testable import Gateway

/// What a gateway answers to web pages, and what it records of them.
@Suite struct WebPageTests {
    private static let message = Array(#"{"message":{"topic":"t"}}"#.utf8)

    /// One request to each part of the gateway that would change or show something.
    static let calls: [(method: String, path: String, body: [UInt8])] = [
        ("POST", "/v1/projects/p/messages:send", message), ("POST", "/fcm/send", Array(#"{"to":"x"}"#.utf8)),
        ("POST", "/3/device/" + String(repeating: "ab", count: 32), Array(#"{"aps":{"alert":"x"}}"#.utf8)),
        ("POST", "/iid/v1:batchAdd", Array(#"{"to":"/topics/t","registration_tokens":["x"]}"#.utf8)),
        ("POST", "/token", Array("grant_type=x".utf8)), ("GET", "/r/?id=h1,2,1", []), ("GET", "/livez", []),
        ("GET", "/ca.pem", []),
        ("GET", "/readyz", []), ("GET", "/metrics", []), ("GET", "/nothing", []), ("GET", "/devices/socket", []),
        ("POST", "/api/v1/devices", Array(#"{"platform":"ios","app":"a"}"#.utf8)), ("POST", "/api/v1/reset", []),
        ("POST", "/api/v1/clock", Array(repeating: 0x20, count: 100_000)),
    ]

    static let marks: [(host: String, fields: TestFields)] = [
        ("localhost:2197", ["origin": "http://localhost:3000"]), ("localhost:2197", ["origin": "null"]),
        ("localhost:2197", ["sec-fetch-site": "cross-site"]), ("localhost:2197", ["sec-fetch-site": "same-site"]),
        ("evil.example:2197", [:]), ("evil.example:2197", ["origin": "http://evil.example:2197"]),
    ]

    @Test(arguments: marks.indices, TestConnection.Version.allCases)
    func `a foreign page leaves nothing but a line and a count`(index: Int, version: TestConnection.Version) throws {
        let mark = Self.marks[index]
        try TestGateway.run(.embedded) { gateway in
            try gateway.push()
            let events = gateway.events().count
            for call in Self.calls {
                // HTTP/1.1 closes a connection on which a body was refused.
                let page = try gateway.connect(over: version, hostName: mark.host)
                let fields = gateway.pushFields(mark.fields).appending(["content-type": "text/plain"])
                let answer = try page.send(call.method, call.path, headers: fields, body: call.body)
                #expect(answer.status == 403, "\(call.path)")
                #expect(answer.text.contains("--allow-"), "\(answer.text)")
                #expect(answer["access-control-allow-origin"] == nil)
                let isControl = call.path.hasPrefix("/api/")
                #expect(answer["content-type"] == (isControl ? "application/json" : "text/plain; charset=utf-8"))
                if isControl { #expect(answer.json["error"]["code"] == "forbiddenOrigin") }
                let line = gateway.embedded.log.lines.last ?? ""
                #expect(line.contains("rule=gateway.stranger status=403"), "\(line)")
            }
            #expect(gateway.events().count == events)
            try #expect(gateway.ask("GET", "/messages")["messages"].array.count == 1)
            try #expect(gateway.ask("GET", "/tracking")["reports"].array.isEmpty)
            try #expect(gateway.ask("GET", "/stats")["refused"] == 0)
            let metrics = try gateway.send("GET", "/metrics").text
            #expect(metrics.contains("pushpit_strangers_refused_total \(Self.calls.count)\n"), "\(metrics)")
        }
    }

    private func withAllowedPage(
        _ version: TestConnection.Version, token: String? = nil, _ body: (TestGateway, TestConnection) throws -> Void
    ) throws {
        var configuration = TestConfiguration()
        configuration.allowedOrigins = ["http://localhost:3000"]
        configuration.apiToken = token
        try TestGateway.run(.embedded, configuration) { try body($0, $0.connect(over: version)) }
    }

    private static let page: TestFields = ["origin": "http://localhost:3000", "sec-fetch-site": "same-site"]

    private func expectReadable(_ answer: TestResponse, _ what: String) {
        #expect(answer["access-control-allow-origin"] == "http://localhost:3000", "\(what)")
        #expect(answer["access-control-expose-headers"] == "*", "\(what)")
        #expect(answer["vary"]?.lowercased().contains("origin") == true, "\(what)")
    }

    @Test(arguments: TestConnection.Version.allCases) func `a page of an allowed origin can read every answer`(
        version: TestConnection.Version
    ) throws {
        try withAllowedPage(version) { gateway, connection in
            func send(_ method: String, _ path: String, _ body: String = "") throws -> TestResponse {
                let fields = Self.page.appending(["authorization": "Bearer x"])
                return try connection.send(method, path, headers: fields, body: Array(body.utf8))
            }
            let rows = [
                ("GET", "/livez", "", 200), ("GET", "/nothing", "", 404), ("GET", "/api/v1/messages", "", 200),
                ("POST", "/v1/projects/p/messages:send", #"{"message":{"topic":"t"}}"#, 200),
                ("POST", "/api/v1/expect", #"{"match":{},"count":0}"#, 417),
                ("GET", "/api/v1/events?since=0&follow=false", "", 200), ("PUT", "/metrics", "", 405),
            ]
            for (method, path, body, status) in rows {
                let answer = try send(method, path, body)
                #expect(answer.status == status, "\(path): \(answer.text)")
                expectReadable(answer, path)
            }
            try #expect(connection.send("GET", "/livez")["access-control-allow-origin"] == nil)
        }
    }

    @Test(arguments: TestConnection.Version.allCases) func `so can it with an answer that comes later`(
        version: TestConnection.Version
    ) throws {
        try withAllowedPage(version) { gateway, connection in
            let waits = try connection.start(
                "POST", "/api/v1/expect", headers: Self.page, body: Array(#"{"match":{},"within":"5s"}"#.utf8))
            try #expect(waits.answerSoFar() == nil)
            try gateway.push()
            expectReadable(try waits.answer(), "expect")
            try gateway.setFault([["delay": "1s"]], ["times": 1, "match": ["provider": "fcm"]])
            let fields = Self.page.appending(["authorization": "Bearer x"])
            let late = try connection.start(
                "POST", "/v1/projects/p/messages:send", headers: fields, body: Self.message)
            try #expect(late.answerSoFar() == nil)
            gateway.advanceClock(by: .seconds(1))
            expectReadable(try late.answer(), "delay")
        }
    }

    @Test(arguments: TestConnection.Version.allCases) func `a browser may ask for an allowed page without the token`(
        version: TestConnection.Version
    ) throws {
        try withAllowedPage(version, token: "open-sesame") { gateway, connection in
            let asks = Self.page.appending([
                "access-control-request-method": "POST", "access-control-request-headers": "authorization, x-y",
            ])
            for path in ["/api/v1/reset", "/v1/projects/p/messages:send", "/r/?id=h1,2,1"] {
                let answer = try connection.send("OPTIONS", path, headers: asks)
                #expect(answer.status == 204)
                #expect(answer["access-control-allow-methods"] == "POST")
                #expect(answer["access-control-allow-headers"] == "authorization, x-y")
                expectReadable(answer, path)
            }
            let refused = try connection.send("POST", "/api/v1/reset", headers: Self.page)
            #expect(refused.status == 401)
            expectReadable(refused, "401")
            #expect(gateway.events().isEmpty)
        }
    }

    @Test func `sockets open for the gateway's own pages and allowed ones`() throws {
        var configuration = TestConfiguration()
        configuration.allowedOrigins = ["https://box.example:3000"]
        try TestGateway.run(.embedded, configuration) { gateway in
            for origin in ["http://localhost", "https://localhost", "https://box.example:3000"] {
                let phone = try gateway.socket(fields: ["Origin": origin])
                try phone.hello(["platform": "ios", "app": "a"])
            }
            for origin in ["http://evil.example", "http://localhost:3000", "https://box.example", "null"] {
                let failure = #expect(throws: TestFailure.self) { try gateway.socket(fields: ["Origin": origin]) }
                #expect("\(failure.debugDescription)".contains("403"), "\(origin)")
            }
        }
    }
}

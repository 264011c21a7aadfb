import PushpitTesting
import Testing

@testable import Gateway

/// What the log says about refusals: Pushpit's words, unless the service's own words name the wrong value.
@Suite struct RefusalLogTests {
    private func lastLine(_ body: String, _ change: (inout TestConfiguration) -> Void) throws -> String {
        var configuration = TestConfiguration()
        change(&configuration)
        var line = ""
        try TestGateway.run(.embedded, configuration) { gateway in
            _ = try gateway.start(
                "POST", "/v1/projects/demo/messages:send", headers: ["authorization": "Bearer x"],
                body: Array(body.utf8))
            line = gateway.embedded.log.lines.last ?? ""
        }
        return line
    }

    @Test func `a token of another issuer is called so`() throws {
        let line = try lastLine(#"{"message":{"topic":"t"}}"#) { $0.authentication = .strict }
        #expect(line.contains(" 401 UNAUTHENTICATED: "), "\(line)")
        #expect(line.contains(" [fcm.credentials-invalid] fix: "), "\(line)")
        #expect(line.contains("with --auth strict, was not issued here"), "\(line)")
    }

    @Test func `an unknown token names the option that refuses it`() throws {
        let token = "cABCDEFGHIJKLMNOPQRSTU:APA91" + String(repeating: "b", count: 134)
        let line = try lastLine(#"{"message":{"token":"\#(token)"}}"#) { $0.acceptsUnknownDevices = false }
        #expect(line.contains(" 404 UNREGISTERED: "), "\(line)")
        #expect(line.contains("--unknown-devices reject refuses unknown ones"), "\(line)")
    }

    @Test func `a text of Google that names the wrong value stays`() throws {
        let line = try lastLine(#"{"message":{"topic":"t","titel":1}}"#) { _ in }
        #expect(line.contains("Unknown name \"titel\" at 'message'"), "\(line)")
    }

    @Test func `an unknown push token and a wrong topic are named`() throws {
        try TestGateway.run { gateway in
            let phone = try gateway.phone("ios")
            let connection = try gateway.connect()
            func refused(_ token: String, _ topic: String) throws -> String {
                let answer = try gateway.startPush(to: token, topic: topic, on: connection).answer()
                #expect(answer.status == 400)
                return gateway.embedded.log.lines.last ?? ""
            }
            let line = try refused("zz", "com.example.app")
            #expect(line.contains("it has 2 characters, and not all of them are hex digits."), "\(line)")
            let other = try refused(phone.token(), "com.example.other")
            #expect(other.contains("but the push has the topic com.example.other"), "\(other)")
            let findings = try gateway.ask("GET", "/messages")["messages"][0]["findings"]
            // The first finding is about the key of the provider token.
            #expect(findings[1]["rule"] == "apns.DeviceTokenNotForTopic")
            #expect(findings[1]["path"] == "headers/apns-topic")
        }
    }

    static let ownPages = [
        ("POST", "/api/v1/faults", #"{"x":1}"#, "rule=gateway.bad-call status=400 ", "'x' is unknown"),
        ("GET", "/api/v1/nothing", "", "rule=gateway.no-such-path status=404 ", "does not exist in this API"),
        ("GET", "/nothing", "", "rule=gateway.no-such-path status=404 ", "This path does not exist."),
        ("PUT", "/metrics", "", "rule=gateway.wrong-method status=405 ", "PUT is not allowed on this path"),
    ]

    @Test(arguments: ownPages) func `a refusal by one of Pushpit's own pages is logged in the words of its answer`(
        row: (method: String, path: String, body: String, start: String, because: String)
    ) throws {
        try TestGateway.run(.embedded) { gateway in
            _ = try gateway.send(row.method, row.path, body: Array(row.body.utf8))
            let parts = (gateway.embedded.log.lines.last ?? "").split(separator: "because=", maxSplits: 1)
            #expect(parts.first?.contains(row.start) == true, "\(parts)")
            #expect(parts.count == 2 && parts[1].contains(row.because), "\(parts)")
        }
    }

    @Test func `header fields that are too long are logged with their path and the limit`() throws {
        try TestGateway.run(.embedded) { gateway in
            let field: TestFields = ["x-long": String(repeating: "x", count: 9000)]
            _ = try? gateway.send("GET", "/api/v1/stats", headers: field)
            let line = try #require(gateway.embedded.log.lines.last { $0.contains("http2.header-too-large") })
            #expect(line.contains("path=/api/v1/stats because="), "\(line)")
            #expect(line.contains("8,000 bytes"), "\(line)")
        }
    }

    @Test func `a fault of a new connection is logged with its effect`() throws {
        try TestGateway.run(.embedded) { gateway in
            try gateway.setFault(["acceptDelay": "5s"])
            _ = try gateway.startPush(on: gateway.connect())
            let line = try #require(gateway.embedded.log.lines.last { $0.contains(" info fault ") })
            #expect(line.contains("with 'acceptDelay' was set through the control API"), "\(line)")
        }
    }
}

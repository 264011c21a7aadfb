import PushpitTesting
import Testing

@testable import Gateway

/// Faults on Google's paths beside messages and topics: `/token`, `/fcm/send`, `/batch` and `/fcm/connect/subscribe`.
@Suite struct GooglePathFaultTests {
    static let send = "/v1/projects/demo/messages:send"
    static let paths = ["/token", "/fcm/send", "/batch", "/fcm/connect/subscribe"]
    static let hit: TestJSON = ["answer": ["status": 418, "body": "hit"]]

    private func post(_ path: String, on gateway: TestGateway) throws -> TestResponse {
        try gateway.send(
            "POST", path, headers: ["authorization": "Bearer x", "content-type": "application/json"],
            body: Array(#"{"message":{"topic":"t"}}"#.utf8))
    }

    @Test func `without a fault each path has its usual answer`() throws {
        try TestGateway.run { gateway in
            let statuses = try Self.paths.map { try post($0, on: gateway).status }
            #expect(statuses == [400, 404, 404, 400])
            let connect = try post("/fcm/connect/subscribe", on: gateway).json["error"]
            #expect(
                connect == [
                    "code": 400, "message": "Request contains an invalid argument.", "status": "INVALID_ARGUMENT",
                ])
        }
    }

    @Test func `a fault hits these paths only if it names them`() throws {
        try TestGateway.run { gateway in
            try gateway.setFault(Self.hit)
            for path in Self.paths { try #expect(post(path, on: gateway).status != 418, "\(path)") }
            try #expect(post(Self.send, on: gateway).status == 418)
        }
        for named in Self.paths + [Self.send] {
            try TestGateway.run { gateway in
                try gateway.setFault(Self.hit, ["match": ["path": TestJSON(named)]])
                for path in Self.paths + [Self.send] {
                    try #expect((post(path, on: gateway).status == 418) == (path == named), "\(path)")
                    try #expect((post(path + "?a=b", on: gateway).status == 418) == (path == named), "\(path)")
                }
            }
        }
    }

    @Test func `a path matches requests for APNs too`() throws {
        try TestGateway.run { gateway in
            let token = String(repeating: "ab", count: 32)
            try gateway.setFault(Self.hit, ["match": ["path": TestJSON("/3/device/\(token)")]])
            try #expect(gateway.push(to: token).status == 418)
            try #expect(gateway.push(to: String(repeating: "cd", count: 32)).status == 200)
        }
    }

    @Test(arguments: [
        ("oauth-window", "/token", 400), ("legacy-gone", "/fcm/send", 404), ("batch-gone", "/batch", 404),
        ("connect-subscribe", "/fcm/connect/subscribe", 400), ("iid-batch-mixed", "/iid/v1:batchAdd", 200),
        ("iid-invalid", "/iid/info/x", 400), ("sender-mismatch", send, 403),
    ]) func `a recorded answer is given on the paths that it belongs to`(id: String, path: String, status: Int) throws {
        try TestGateway.run { gateway in
            try gateway.setFault(["answer": ["recorded": TestJSON(id)]])
            for other in Self.paths + [Self.send] where other != path {
                _ = try post(other, on: gateway)
            }
            try #expect(gateway.ask("GET", "/faults")["faults"][0]["fired"] == 0)
            let answer = try post(path, on: gateway)
            #expect(answer.status == status)
            try #expect(gateway.ask("GET", "/faults")["faults"][0]["fired"] == 1)
        }
    }

    @Test func `any recorded answer can be put on any path`() throws {
        try TestGateway.run { gateway in
            for path in Self.paths {
                try gateway.setFault(
                    ["answer": ["recorded": "html-502"]], ["match": ["path": TestJSON(path)], "times": 1])
                let answer = try post(path, on: gateway)
                #expect(answer.status == 502)
                #expect(answer.text.contains("<title>Error 502"))
            }
        }
    }

    @Test func `a message to the discontinued API is recorded with the fault's status`() throws {
        try TestGateway.run { gateway in
            try gateway.setFault(Self.hit, ["match": ["path": "/fcm/send"]])
            try #expect(post("/fcm/send", on: gateway).status == 418)
            let messages = try gateway.ask("GET", "/messages")["messages"].array
            #expect(messages.map { $0["status"].int } == [418])
        }
    }

    @Test func `a sticky fault does not stick to paths that it cannot hit`() throws {
        try TestGateway.run { gateway in
            try gateway.setFault([Self.hit, ["sticky": true]], ["times": 1])
            try #expect(post(Self.send, on: gateway).status == 418)
            try #expect(post("/token", on: gateway).status == 400)
            try #expect(post(Self.send, on: gateway).status == 418)
        }
    }
}

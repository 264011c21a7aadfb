import PushCore
import PushpitTesting
import Testing

@testable import Gateway

/// Provider tokens that a fault or a magic token calls expired, on connections that stay open.
@Suite struct ProviderTokenTests {
    typealias Kind = TestGateway.Kind

    /// What makes the gateway answer ExpiredProviderToken once.
    private enum Cause: String, CaseIterable { case fault, bodyFault, magicToken }

    private func bearer(_ age: Int64, in gateway: borrowing TestGateway) -> TestFields {
        let claims = #"{"iss":"PUSHPITKIT","iat":\#(gateway.milliseconds / 1000 - age)}"#
        let parts = [#"{"alg":"ES256","kid":"PUSHPITKIT"}"#, claims, "no signature"]
        return [
            "apns-topic": "com.example.app",
            "authorization": "bearer " + parts.map { Base64URL.encode($0.utf8) }.joined(separator: "."),
        ]
    }

    private func push(_ token: String, _ fields: TestFields, on connection: TestConnection) throws -> TestResponse {
        let body = Array(#"{"aps":{"alert":"Hello"}}"#.utf8)
        return try connection.start("POST", "/3/device/\(token)", headers: fields, body: body).answer()
    }

    @Test(arguments: Kind.allCases, Cause.allCases)
    private func `a new token follows a simulated expiry at once, on every connection`(kind: Kind, cause: Cause) throws
    {
        try TestGateway.run(kind) { gateway in
            let (first, second) = (bearer(10, in: gateway), bearer(0, in: gateway))
            let connections = try [gateway.connect(), gateway.connect()]
            let good = TestGateway.unknownToken
            for connection in connections { try #expect(push(good, first, on: connection).status == 200) }
            var token = good
            switch cause {
            case .fault:
                try gateway.setFault(["answer": ["status": 403, "reason": "ExpiredProviderToken"]], ["times": 1])
            case .bodyFault:
                let body: TestJSON = ["status": 403, "body": #"{"reason":"ExpiredProviderToken"}"#]
                try gateway.setFault(["answer": body], ["times": 1])
            case .magicToken: token = "dead040303" + String(repeating: "0", count: 54)
            }
            let refused = try push(token, first, on: connections[0])
            #expect(refused.status == 403)
            #expect(refused.json["reason"].string == "ExpiredProviderToken")
            for connection in connections { try #expect(push(good, second, on: connection).status == 200) }
            try #expect(push(good, first, on: connections[0]).json["reason"].string == "ExpiredProviderToken")
            try #expect(push(good, second, on: connections[0]).status == 200)
        }
    }

    @Test func `a refusal of an old token says that a test has moved the clock`() throws {
        try TestGateway.run { gateway in
            let fields = bearer(0, in: gateway)
            let connection = try gateway.connect()
            gateway.advanceClock(by: .seconds(7260))
            try #expect(push(TestGateway.unknownToken, fields, on: connection).status == 403)
            let line = gateway.embedded.log.lines.last ?? ""
            #expect(
                line.contains("The token is 2 h 1 min old by the gateway's clock, and the limit is 60 min"), "\(line)")
            #expect(line.contains("; a test moved the gateway's clock 2 h 1 min ahead"), "\(line)")
        }
    }

    @Test func `a refusal by the token endpoint names the endpoint`() throws {
        try TestGateway.run { gateway in
            let answer = try gateway.send("POST", "/token", body: Array("grant_type=x".utf8))
            #expect(answer.status == 400)
            let line = gateway.embedded.log.lines.last ?? ""
            #expect(
                line.contains("/token refused the account's claims with unsupported_grant_type: Invalid"), "\(line)")
        }
    }

    @Test func `a broadcast's refusal is logged with its cause, and a simulated expiry counts`() throws {
        try TestGateway.run { gateway in
            let (first, second) = (bearer(10, in: gateway), bearer(0, in: gateway))
            let connection = try gateway.connect()
            func list(_ fields: TestFields) throws -> TestResponse {
                try connection.start("GET", "/1/apps/com.example.app/all-channels", headers: fields).answer()
            }
            try #expect(list(first).status == 200)
            try #expect(list(second).status == 429)
            #expect(gateway.embedded.log.lines.last?.contains("(--token-update-interval)") == true)
            try gateway.setFault(["answer": ["status": 403, "reason": "ExpiredProviderToken"]], ["times": 1])
            try #expect(list(first).status == 403)
            try #expect(list(second).status == 200)
        }
    }
}

import HTTPCore
import PushpitTesting
import Testing

@testable import Routing

/// Who may use the pages that are Pushpit's own.
@Suite struct AccessPolicyTests {
    private func status(_ policy: AccessPolicy, _ fields: KeyValuePairs<HeaderName, String>) -> Int {
        policy.refusal(of: HeaderBlock(fields))?.status ?? 200
    }

    static let hosts: [(String, Int)] = [
        ("localhost", 200), ("localhost:2197", 200), ("LOCALHOST", 200), ("127.0.0.1", 200), ("127.0.0.1:80", 200),
        ("127.1.2.3", 200), ("[::1]", 200), ("[::1]:2197", 200), ("box.example", 200), ("box.example:3000", 200),
        ("evil.example", 403), ("127.evil.example", 403), ("localhost.evil.example", 403),
        ("localhost:80@evil.example", 403),
        ("localhost:x", 403), ("10.0.0.1", 403), ("[::2]", 403), ("[::1]x", 403), ("", 403), ("128.0.0.1", 403),
        ("host.docker.internal:2197", 200), ("notbox.example", 403), ("box.example.evil", 403), ("0.0.0.0", 403),
        ("192.168.0.1", 403), ("[::]:80", 403), ("127.0.0.1.evil.example", 403),
    ]

    @Test(arguments: hosts) func `a host is loopback or allowed`(host: String, expected: Int) {
        let policy = AccessPolicy(allowedHosts: ["box.example"], apiToken: nil)
        #expect(status(policy, [.authority: host]) == expected)
        #expect(status(policy, [.host: host]) == expected)
    }

    @Test func `a request without a host is let in`() {
        #expect(status(AccessPolicy(allowedHosts: [], apiToken: nil), [.path: "/"]) == 200)
    }

    /// "ann:open-sesame", ":open-sesame", "ann:wrong", "open-sesame" and no base64.
    static let passwords: [(value: String, isLetIn: Bool)] = [
        ("Basic YW5uOm9wZW4tc2VzYW1l", true), ("basic Om9wZW4tc2VzYW1l", true), ("Basic YW5uOndyb25n", false),
        ("Basic b3Blbi1zZXNhbWU=", false), ("Basic !", false), ("Basic", false), ("Bearer YW5uOm9wZW4tc2VzYW1l", false),
    ]

    @Test(arguments: passwords) func `a browser may send the token as a password for the documentation`(
        row: (value: String, isLetIn: Bool)
    ) {
        let policy = AccessPolicy(allowedHosts: [], apiToken: "open-sesame")
        for (path, isPage) in [
            ("/docs", true), ("/docs?x", true), ("/openapi.json", true), ("/docsx", false), ("/api/v1/stats", false),
            ("/devices/socket", false),
        ] {
            let status = status(policy, [.authority: "localhost", .path: path, .authorization: row.value])
            #expect(status == (row.isLetIn && isPage ? 200 : 401), "\(path)")
        }
    }

    @Test(arguments: TestConnection.Version.allCases) func `the documentation asks a browser for the token`(
        version: TestConnection.Version
    ) throws {
        var configuration = TestConfiguration()
        configuration.apiToken = "open-sesame"
        try TestGateway.run(.embedded, configuration) { gateway in
            let connection = try gateway.connect(over: version)
            let refused = try connection.send("GET", "/docs")
            #expect(refused.status == 401)
            #expect(refused["www-authenticate"] == "Bearer")
            let page = try connection.send(
                "GET", "/docs", headers: ["authorization": "Basic YW5uOm9wZW4tc2VzYW1l"])
            #expect(page.status == 200)
            try #expect(connection.send("GET", "/api/v1/stats").status == 401)
        }
    }

    @Test(arguments: [("/docs", 2), ("/openapi.json", 2), ("/api/v1/stats", 1)])
    func `only the documentation challenges a browser`(path: String, count: Int) throws {
        let policy = AccessPolicy(allowedHosts: [], apiToken: "open-sesame")
        let refusal = try #require(policy.refusal(of: HeaderBlock([.authority: "localhost", .path: path])))
        let fields = refusal.response(for: .control).headers.filter { $0.name.elementsEqual("www-authenticate".utf8) }
        #expect(fields.count == count)
        if count == 2 { #expect(fields[1].value.starts(with: "Basic realm=".utf8)) }
    }

    static let tokens: [(String?, Int)] = [
        ("Bearer open-sesame", 200), ("bearer open-sesame", 200), ("BEARER open-sesame", 200), (nil, 401),
        ("Bearer wrong", 401), ("open-sesame", 401), ("Basic open-sesame", 401), ("Bearer open-sesame2", 401),
        ("Bearer open-sesam", 401), ("Bearer", 401), ("Bearer ", 401), ("", 401), ("Bearer open-sesame x", 401),
    ]

    @Test(arguments: tokens) func `the token is required if one is configured`(value: String?, expected: Int) {
        let policy = AccessPolicy(allowedHosts: [], apiToken: "open-sesame")
        let fields: KeyValuePairs<HeaderName, String> =
            if let value { [.authority: "localhost", .authorization: value] } else { [.authority: "localhost"] }
        #expect(status(policy, fields) == expected)
    }

    @Test func `a refusal is JSON for the control API and text elsewhere`() throws {
        var configuration = TestConfiguration()
        configuration.apiToken = "open-sesame"
        try TestGateway.run(.embedded, configuration) { gateway in
            let api = try gateway.send("GET", "/api/v1/clock")
            #expect(api.status == 401)
            #expect(api["www-authenticate"] == "Bearer")
            #expect(api.json["error"]["code"] == "noToken")
            #expect(api.json["error"]["message"].string?.hasPrefix("This gateway requires a token") == true)
            let wrong = try gateway.send("GET", "/api/v1/clock", headers: ["authorization": "Bearer sesame"])
            #expect(wrong.status == 401)
            #expect(wrong.json["error"]["message"].string?.hasPrefix("The token in 'authorization' is not") == true)
            let page = try gateway.send("GET", "/metrics")
            #expect(page.status == 401)
            #expect(page["content-type"] == "text/plain; charset=utf-8")
            let bearer: TestFields = ["authorization": "Bearer open-sesame"]
            try #expect(gateway.send("GET", "/metrics", headers: bearer).status == 200)
            let strange = try gateway.connect(hostName: "evil.example").send("GET", "/api/v1/clock", headers: bearer)
            #expect(strange.status == 403)
            #expect(strange.json["error"]["code"] == "forbiddenOrigin")
            #expect(strange.text.contains("evil.example"))
            #expect(strange["access-control-allow-origin"] == nil)
        }
    }

    static let ours = [
        "/metrics", "/api/v1/stats", "/api/v1/nothing", "/openapi.json", "/docs", "/devices/socket",
        "/devices/echo", "/nothing",
    ]
    static let others = ["/", "/livez", "/readyz", "/ca.pem", "/r/?id=1,2,3", "/v1/projects/p/messages:send", "/token"]

    @Test func `every page with Pushpit's state requires the token, and no other page does`() throws {
        var configuration = TestConfiguration()
        configuration.apiToken = "open-sesame"
        try TestGateway.run(.embedded, configuration) { gateway in
            for version in TestConnection.Version.allCases {
                let connection = try gateway.connect(over: version)
                for path in Self.ours { try #expect(connection.send("GET", path).status == 401, "\(path)") }
                for path in Self.others {
                    try #expect(connection.send("GET", path)["www-authenticate"] != "Bearer", "\(path)")
                }
            }
            try #expect(gateway.push().status == 200)
        }
    }

    @Test func `a refused client changes nothing and can't send a long body`() throws {
        var configuration = TestConfiguration()
        configuration.apiToken = "open-sesame"
        try TestGateway.run(.embedded, configuration) { gateway in
            try gateway.push()
            for version in TestConnection.Version.allCases {
                let connection = try gateway.connect(over: version)
                try #expect(
                    connection.send("POST", "/api/v1/reset", body: Array(repeating: 32, count: 100_000)).status == 401)
                #expect(gateway.events().count == 4)
            }
        }
    }
}

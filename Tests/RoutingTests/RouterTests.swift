import HTTPCore
import PushpitTesting
import Testing

@testable import Routing

/// Which part of the gateway answers, by path and by host.
@Suite struct RouterTests {
    static let paths: [(String, Service)] = [
        ("/3/device/abc", .apns), ("/3/", .apns), ("/3", .unknown), ("/4/broadcasts/apps/a", .apns),
        ("/1/apps/a/channels", .apns), ("/v1/projects/p/messages:send", .google), ("/fcm/send", .google),
        ("/iid/v1:batchAdd", .google), ("/v1/projects/p/installations", .receiver),
        ("/v1/projects/p/installations/f/authTokens:generate", .receiver), ("/v1/projects/p/registrations", .receiver),
        ("/v1/projects/p/registrations/t", .receiver), ("/v1/projects//registrations/t", .receiver),
        ("/v1/projects/p/registrations/t/topicSubscriptions", .google), ("/v1/projects/p", .google),
        ("/batch", .google), ("/batch/fcm", .google), ("/batches", .unknown),
        ("/token", .google), ("/token?grant_type=x", .google), ("/tokens", .unknown),
        ("/oauth2/v4/token", .google), ("/o/oauth2/token", .google), ("/oauth2/v4/tokens", .unknown),
        ("/api/v1/stats", .control),
        ("/api/v1", .unknown), ("/openapi.json", .control), ("/docs", .control), ("/docs/", .unknown),
        ("/r/?id=1,2,3", .collector), ("/rest/head/mobileAppV5/K/subscriptions/E", .collector),
        ("/devices/socket", .deviceSocket), ("/devices/socket?x=1", .deviceSocket), ("/devices/echo", .echoSocket),
        ("/livez", .live), ("/readyz", .ready), ("/ca.pem", .authority), ("/metrics", .metrics),
        ("/metrics?format=text", .metrics),
        ("/", .console), ("/?x", .console), ("/index.html", .unknown), ("", .unknown), ("*", .unknown),
        ("//3/device/abc", .apns), ("///3/device/abc", .apns), ("//v1/projects/p/messages:send", .google),
        ("//api/v1/stats", .unknown), ("//", .unknown), ("//livez", .unknown),
    ]

    @Test(arguments: paths) func `a path belongs to one service`(path: String, service: Service) {
        let headers = HeaderBlock([.method: "GET", .authority: "localhost", .path: path])
        #expect(Router.service(for: headers, on: .any) == service)
    }

    /// Paths on listeners of the roles `apns` and `fcm`.
    static let roles: [(path: String, apns: Service, fcm: Service)] = [
        ("/", .apns, .google), ("/?x", .apns, .google), ("/nothing", .apns, .google), ("", .apns, .google),
        ("//3/device/abc", .apns, .apns), ("//livez", .apns, .google), ("/api/v1", .apns, .google),
        ("/livez", .live, .live), ("/ca.pem", .authority, .authority), ("/api/v1/stats", .control, .control),
        ("/token", .google, .google),
        ("/3/device/abc", .apns, .apns),
    ]

    @Test(arguments: roles) func `a vendor's listener answers unknown paths`(row: (String, Service, Service)) {
        let headers = HeaderBlock([.method: "GET", .authority: "localhost", .path: row.0])
        #expect(Router.service(for: headers, on: .apns) == row.1)
        #expect(Router.service(for: headers, on: .fcm) == row.2)
    }

    static let hosts: [(String, Service)] = [
        ("api.push.apple.com", .apns), ("API.push.Apple.COM", .apns), ("api.push.apple.com:443", .apns),
        ("api.push.apple.com:2197", .apns), ("api.sandbox.push.apple.com", .apnsSandbox),
        ("api.development.push.apple.com:443", .apnsSandbox),
        ("api-manage-broadcast.sandbox.push.apple.com", .apnsSandbox),
        ("fcm.googleapis.com", .google), ("oauth2.googleapis.com:443", .google), ("iid.googleapis.com", .google),
        ("www.googleapis.com", .google), ("accounts.google.com:443", .google),
        ("updates.push.services.mozilla.com", .receiver), ("web.push.apple.com", .receiver), ("google.com", .live),
        ("localhost", .live), ("apple.com", .live), ("api.push.apple.com.evil.example", .live),
        ("api.push.apple.com:443x", .live), ("com", .live), ("", .live), (":443", .live),
    ]

    @Test(arguments: hosts) func `a vendor's host name beats the path`(host: String, service: Service) {
        #expect(
            Router.service(for: HeaderBlock([.method: "GET", .authority: host, .path: "/livez"]), on: .any) == service)
        #expect(Router.service(for: HeaderBlock([.method: "GET", .host: host, .path: "/livez"]), on: .any) == service)
    }

    @Test func `the authority beats the host field`() {
        let headers = HeaderBlock([.authority: "localhost", .path: "/livez", .host: "api.push.apple.com"])
        #expect(Router.service(for: headers, on: .any) == .live)
    }

    @Test func `each service has its body limit, which is 0 if the client is refused`() {
        let open = AccessPolicy(allowedHosts: [], apiToken: nil)
        let closed = AccessPolicy(allowedHosts: [], apiToken: "s")
        func limit(_ path: String, _ policy: AccessPolicy, host: String = "localhost") -> Int {
            policy.planner(isLoopback: false).plan(HeaderBlock([.method: "POST", .authority: host, .path: path]))
                .bodyLimit
        }
        #expect(limit("/api/v1/reset", open) == 64 << 10)
        #expect(limit("/api/v1/reset", closed) == 0)
        #expect(limit("/api/v1/reset", open, host: "evil.example") == 0)
        #expect(limit("/livez", closed) == 64 << 10)
        #expect(limit("/v1/projects/p/messages:send", closed) == 1 << 20)
        #expect(limit("/3/device/a", closed) == 4096)
    }

    @Test(arguments: [
        (type: "voip", topic: "a.voip", limit: 5120), ("voip", "a", 5120), ("", "a.voip", 5120), ("", "a", 4096),
        ("alert", "a.voip", 4096), ("", ".voip", 4096), ("", "a.voip.b", 4096), ("", "", 4096), ("voipx", "a", 4096),
    ]) func `a VoIP push may be longer, by its type or else its topic`(type: String, topic: String, limit: Int) {
        var headers = HeaderBlock([.method: "POST", .authority: "localhost", .path: "/3/device/a"])
        if !type.isEmpty { headers.append(HeaderName("apns-push-type"), type) }
        if !topic.isEmpty { headers.append(HeaderName("apns-topic"), topic) }
        #expect(AccessPolicy().planner().plan(headers).bodyLimit == limit)
    }

    static let answers: [(method: String, path: String, status: Int)] = [
        ("GET", "/livez", 200), ("HEAD", "/livez", 200), ("POST", "/livez", 405), ("POST", "/ca.pem", 405),
        ("GET", "/ca.pem", 404), ("GET", "/readyz", 200),
        ("GET", "/metrics", 200), ("GET", "/", 200), ("DELETE", "/", 405), ("BREW", "/", 501), ("GET", "/nothing", 404),
        ("GET", "/docs", 200), ("GET", "/openapi.json", 200), ("GET", "/api/v1/stats", 200),
        ("GET", "/api/v1/nothing", 404), ("PUT", "/api/v1/stats", 405), ("GET", "/v1/unknown", 404),
        ("GET", "/r/?id=1,2,3", 200), ("POST", "/rest/head/nothing", 404), ("GET", "/devices/echo", 404),
    ]

    @Test(arguments: TestConnection.Version.allCases)
    func `each service answers over both versions of HTTP`(version: TestConnection.Version) throws {
        try TestGateway.run { gateway in
            let connection = try gateway.connect(over: version)
            for row in Self.answers {
                let answer = try connection.send(row.method, row.path)
                #expect(answer.status == row.status, "\(row.method) \(row.path): \(answer.text)")
            }
        }
    }

    @Test func `a wrong method is refused with the allowed methods`() throws {
        try TestGateway.run { gateway in
            try #expect(gateway.send("POST", "/livez")["allow"] == "GET, HEAD")
            try #expect(gateway.send("POST", "/devices/socket")["allow"] == "GET")
        }
    }

    @Test func `a push over HTTP 1 is answered with what to do`() throws {
        try TestGateway.run { gateway in
            let connection = try gateway.connect(over: .http1)
            let answer = try connection.send("POST", "/3/device/\(TestGateway.unknownToken)", body: Array("{}".utf8))
            #expect(answer.status == 505)
            #expect(answer.text.contains("--http2"))
            #expect(gateway.embedded.log.lines.contains { $0.contains("rule=apns.needs-http2") })
        }
    }

    @Test func `there is no device socket over HTTP 2`() throws {
        try TestGateway.run { gateway in try #expect(gateway.send("GET", "/devices/socket").status == 501) }
    }

    @Test func `the sandbox host has the sandbox's devices`() throws {
        try TestGateway.run { gateway in
            let sandbox = try gateway.connect(hostName: "api.sandbox.push.apple.com")
            let path = "/3/device/\(TestGateway.unknownToken)"
            for (connection, environment) in [(sandbox, "sandbox"), (try gateway.connect(), "production")] {
                let answer = try connection.send(
                    "POST", path, headers: gateway.pushFields(), body: Array(#"{"aps":{}}"#.utf8))
                let newest = try gateway.ask("GET", "/messages?limit=1")["messages"][0]
                #expect(newest["environment"].string == environment)
                #expect(answer["apns-unique-id"] == nil || environment == "sandbox")
            }
        }
    }

    @Test func `a refused push has one line, whatever was found in it`() throws {
        try TestGateway.run { gateway in
            for aps in [["alert": 7], ["alert": 7, "badge": "x"]] as [TestJSON] {
                let before = gateway.embedded.log.lines.count
                try #expect(gateway.push(["aps": aps]).status == 400)
                let lines = gateway.embedded.log.lines.dropFirst(before)
                #expect(lines.count == 1, "\(lines)")
                #expect(lines.first?.contains(" 400 InvalidPayload: ") == true, "\(lines)")
                #expect(lines.first?.contains(" | warning: ") == aps.keys.contains("badge"), "\(lines)")
            }
        }
    }

    @Test func `a field list over the limit is reset for a push, and answered 431 elsewhere`() throws {
        try TestGateway.run { gateway in
            let long: TestFields = ["x-long": String(repeating: "x", count: 9000)]
            let failure = #expect(throws: TestFailure.self) { try gateway.push(fields: long) }
            #expect(failure?.cause == .reset(1))
            try #expect(gateway.send("GET", "/livez", headers: long).status == 431)
            try #expect(gateway.push().status == 200, "the connection lives on")
            #expect(gateway.embedded.log.lines.count { $0.contains("http2.header-too-large") } == 2)
        }
    }
}

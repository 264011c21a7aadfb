import HTTPCore
import PushpitTesting
import Testing

@testable import Routing

/// Requests with the marks of a foreign browser, and those of programs and pages that may use the gateway.
@Suite struct BrowserTests {
    typealias Fields = [(name: String, value: String)]

    /// Fields that a browser sends for a page of another site, and a part of the refusal.
    static let marks: [(fields: Fields, says: String)] = [
        ([("origin", "http://evil.example")], "--allow-origin http://evil.example."),
        ([("origin", "http://localhost:3000")], "--allow-origin http://localhost:3000."),
        ([("origin", "http://127.0.0.1:2197")], "--allow-origin http://127.0.0.1:2197."),
        ([("origin", "http://localhost")], "--allow-origin http://localhost."),
        ([("origin", "null")], "'null' cannot be allowed"), ([("origin", "")], "'' cannot be allowed"),
        ([("origin", "file://")], "--allow-origin file://."),
        ([("origin", "http://localhost:2197.evil.example")], "--allow-origin"),
        ([("origin", "http://localhost:2197@evil.example")], "cannot be allowed"),
        ([("origin", "http://" + String(repeating: "x", count: 200))], "--allow-origin ORIGIN."),
        ([("origin", "http://evil.example"), ("sec-fetch-site", "none")], "--allow-origin http://evil.example."),
        ([("origin", "http://localhost:3000"), ("sec-fetch-site", "same-site")], "--allow-origin"),
        ([("sec-fetch-site", "cross-site")], "sec-fetch-site is 'cross-site'"),
        ([("sec-fetch-site", "same-site"), ("sec-fetch-mode", "no-cors")], "sec-fetch-site is 'same-site'"),
        ([("sec-fetch-site", "new-word")], "--allow-origin ORIGIN"),
        (
            [("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "iframe")],
            "cross-site"
        ),
    ]

    /// Fields of programs, and of browsers that show the gateway's own pages.
    static let harmless: [Fields] = [
        [], [("sec-fetch-mode", "cors")], [("sec-fetch-site", "none")], [("sec-fetch-site", "same-origin")],
        [("origin", "http://localhost:2197")], [("origin", "HTTPS://LocalHost:2197")],
        [("origin", "http://localhost:2197"), ("sec-fetch-site", "same-origin")],
        [("referer", "http://evil.example/")], [("x-origin", "http://evil.example")],
    ]

    static let paths: [(path: String, service: Service)] = [
        ("/3/device/a", .apns), ("/4/broadcasts/apps/a", .apns), ("/v1/projects/p/messages:send", .google),
        ("/iid/v1:batchAdd", .google), ("/batch", .google), ("/token", .google), ("/r/?id=1,2,3", .collector),
        ("/rest/head/x", .collector), ("/livez", .live), ("/readyz", .ready), ("/metrics", .metrics), ("/", .console),
        ("/docs", .control), ("/openapi.json", .control), ("/api/v1/messages", .control),
        ("/devices/socket", .deviceSocket), ("/devices/echo", .echoSocket), ("/nothing", .unknown),
    ]

    private func plan(
        _ fields: Fields, _ path: String = "/", method: String = "POST", host: String? = "localhost:2197",
        by planner: RequestPlanner
    ) -> RequestPlan {
        var headers = HeaderBlock([.method: method, .path: path])
        if let host { headers.append(.authority, host) }
        for field in fields { headers.append(HeaderName(field.name), field.value) }
        return planner.plan(headers)
    }

    @Test(arguments: marks.indices) func `a foreign browser is refused on every path and listener`(index: Int) {
        for isLoopback in [true, false] {
            let planner = AccessPolicy(allowedOrigins: ["http://fine.example"]).planner(isLoopback: isLoopback)
            for (path, _) in Self.paths {
                for method in path == "/" || path == "/docs" ? ["POST"] : ["POST", "GET", "OPTIONS"] {
                    let plan = plan(Self.marks[index].fields, path, method: method, by: planner)
                    #expect(plan.route.service == .forbiddenPage, "\(method) \(path)")
                    #expect(plan.bodyLimit == 0)
                }
            }
        }
    }

    @Test(arguments: harmless.indices) func `programs and the gateway's own pages are served`(index: Int) {
        for isLoopback in [true, false] {
            let planner = AccessPolicy().planner(isLoopback: isLoopback)
            for (path, service) in Self.paths {
                let plan = plan(Self.harmless[index], path, by: planner)
                #expect(plan.route.service == service, "\(path)")
                #expect(!plan.route.isForAllowedPage)
            }
        }
    }

    static let hosts: [(host: String?, isLetIn: Bool)] = [
        (nil, true), ("", true), ("localhost", true), ("LOCALHOST:2197", true), ("127.0.0.1:80", true),
        ("127.9.9.9", true), ("[::1]:2197", true), ("host.docker.internal:2197", true), ("box.example:1", true),
        ("api.push.apple.com", true), ("FCM.googleapis.com:443", true), ("oauth2.googleapis.com", true),
        ("evil.example", false), ("evil.example:2197", false), ("localhost.evil.example", false),
        ("localhost:80@evil.example", false), ("api.push.apple.com.evil.example", false), ("0.0.0.0:2197", false),
        ("10.0.0.1", false), ("notbox.example", false), ("docker.internal", false), ("localhost:x", false),
    ]

    @Test(arguments: hosts) func `a foreign host is refused on loopback only`(host: String?, isLetIn: Bool) {
        let policy = AccessPolicy(allowedHosts: ["box.example"])
        for (path, _) in Self.paths {
            // The second request with the same host is compared with the first.
            let planner = policy.planner()
            for _ in 0..<2 {
                let isRefused = plan([], path, host: host, by: planner).route.service == .forbiddenPage
                #expect(isRefused == !isLetIn, "\(path)")
            }
            let elsewhere = policy.planner(isLoopback: false)
            #expect(plan([], path, host: host, by: elsewhere).route.service != .forbiddenPage, "\(path)")
        }
    }

    @Test func `hosts may alternate on one connection`() {
        let planner = AccessPolicy().planner()
        let rows: [(String?, Service)] = [
            ("localhost", .live), ("evil.example", .forbiddenPage), ("localhost", .live),
            ("fcm.googleapis.com", .google),
            ("evil.example", .forbiddenPage), (nil, .live), ("evil.example", .forbiddenPage),
            ("api.push.apple.com", .apns),
        ]
        for (host, service) in rows { #expect(plan([], "/livez", host: host, by: planner).route.service == service) }
    }

    @Test func `a page under a foreign name is refused where the host is not checked`() {
        let rebound: Fields = [("origin", "http://evil.example:2197")]
        let planner = AccessPolicy().planner(isLoopback: false)
        #expect(plan(rebound, "/token", host: "evil.example:2197", by: planner).route.service == .forbiddenPage)
        let known = AccessPolicy(allowedHosts: ["evil.example"]).planner(isLoopback: false)
        #expect(plan(rebound, "/token", host: "evil.example:2197", by: known).route.service == .google)
        let vendor: Fields = [("origin", "https://fcm.googleapis.com")]
        #expect(plan(vendor, "/token", host: "fcm.googleapis.com", by: planner).route.service == .google)
        #expect(plan(rebound, "/token", host: "fcm.googleapis.com", by: planner).route.service == .forbiddenPage)
    }

    @Test func `a link to the console or the documentation works`() {
        let planner = AccessPolicy().planner()
        let visit: Fields = [("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")]
        for (path, service) in Self.paths + [("/docs?x", .control), ("/?x", .console)] {
            let isPage = ["/", "/?x", "/docs", "/docs?x"].contains(path)
            for more in [[], [("sec-fetch-dest", "document")]] as [Fields] {
                let found = plan(visit + more, path, method: "GET", by: planner).route.service
                #expect(found == (isPage ? service : .forbiddenPage), "\(path)")
            }
            for (method, fields) in [
                ("POST", visit), ("HEAD", visit), ("GET", visit + [("sec-fetch-dest", "iframe")]),
                ("GET", visit + [("sec-fetch-dest", "object")]), ("GET", visit + [("origin", "http://evil.example")]),
                ("GET", [("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "cors")]),
                ("GET", [("sec-fetch-site", "cross-site")]),
            ] as [(String, Fields)] {
                #expect(plan(fields, path, method: method, by: planner).route.service == .forbiddenPage, "\(path)")
            }
            #expect(plan(visit, path, method: "GET", host: "evil.example", by: planner).route.service == .forbiddenPage)
        }
        let apns = AccessPolicy().planner(.apns)
        #expect(plan(visit, "/", method: "GET", by: apns).route.service == .forbiddenPage, "Apple has no console")
    }

    @Test func `a page of an allowed origin is let in on every path`() {
        let planner = AccessPolicy(allowedOrigins: ["http://localhost:3000", "file://"]).planner()
        for origin in ["http://localhost:3000", "HTTP://LOCALHOST:3000", "file://"] {
            for (path, service) in Self.paths {
                let fields: Fields = [("origin", origin), ("sec-fetch-site", "cross-site")]
                let plan1 = plan(fields, path, by: planner)
                #expect(plan1.route.service == service)
                #expect(plan1.route.isForAllowedPage)
                let asks = fields + [("access-control-request-method", "POST")]
                #expect(plan(asks, path, method: "OPTIONS", by: planner).route.service == .preflight)
                #expect(plan(fields, path, method: "OPTIONS", by: planner).route.service == service)
                #expect(plan(fields, path, host: "evil.example", by: planner).route.service == .forbiddenPage)
            }
        }
        for origin in ["http://localhost:3001", "https://localhost:3000", "http://localhost", "null"] {
            #expect(plan([("origin", origin)], "/token", by: planner).route.service == .forbiddenPage, "\(origin)")
        }
    }

    @Test func `the refusal names the mark and the option`() throws {
        for (fields, text) in Self.marks {
            var headers = HeaderBlock([.method: "POST", .authority: "localhost:2197", .path: "/token"])
            for field in fields { headers.append(HeaderName(field.name), field.value) }
            let admission = AccessPolicy().admission(of: headers, to: .google, isForeignHost: false)
            guard case .refused(let mark) = admission else {
                Issue.record("\(fields) are let in")
                continue
            }
            #expect(mark.sentence.contains(text), "\(mark.sentence)")
            #expect(mark.sentence.utf8.count < 400)
        }
        #expect(BrowserMark.host("evil.example:80").sentence.contains("'evil.example:80' is neither"))
        #expect(BrowserMark.host("evil.example:80").sentence.contains("--allow-host evil.example, or --server-name"))
        #expect(BrowserMark.host("a b").sentence.contains("--allow-host NAME, or --server-name"))
        #expect(
            BrowserMark.host(String(repeating: "x", count: 300)).sentence.contains(
                "--allow-host NAME, or --server-name"))
        #expect(!BrowserMark.origin("\u{1b}[31m").sentence.contains("\u{1b}"))
    }
}

import HTTPCore
import JSON
import PushCore
import TLS
import Testing

@testable import ControlAPI

/// Every route once with success, and what all routes refuse in the same way.
struct RouteTests {
    /// One call after the other on the same host.
    private static let calls: [(method: Method, path: String, body: JSONValue?, status: Int)] = [
        (.post, "/devices", ["id": "ann", "platform": "ios", "app": "com.example.app"], 201),
        (.get, "/devices", nil, 200), (.get, "/devices/ann", nil, 200),
        (.put, "/topics/news/devices/ann", nil, 204), (.get, "/topics", nil, 200),
        (.post, "/faults", ["effect": ["silence": true], "match": ["app": "x"]], 201), (.get, "/faults", nil, 200),
        (.get, "/messages", nil, 200), (.get, "/messages/p1", nil, 200), (.get, "/messages/p1/raw", nil, 200),
        (.get, "/messages/p1/events", nil, 200),
        (.post, "/messages", ["provider": "fcm", "project": "shop", "body": ["message": ["topic": "x"]]], 201),
        (.post, "/messages/p2/send", nil, 201),
        (.get, "/messages/p1/export?as=curl", nil, 200),
        (.post, "/expect", ["match": ["topic": "com.example.app"], "count": 1], 200),
        (.get, "/devices/ann/shade", nil, 200),
        (.post, "/devices/ann/act", ["kind": "open", "notification": "n1"], 200),
        (.patch, "/devices/ann", ["state": ["online": false]], 200), (.get, "/devices/ann/pending", nil, 200),
        (.get, "/devices/ann/topics", nil, 200), (.get, "/subscriptions", nil, 200),
        (.post, "/devices/ann/tokens", ["op": "rotate", "provider": "apns"], 200),
        (.delete, "/topics/news/devices/ann", nil, 204), (.delete, "/devices/ann", nil, 204),
        (.put, "/media", ["url": "https://example.com/a.png", "base64": "AAAA"], 204), (.get, "/media", nil, 200),
        (.get, "/media/content?url=https://example.com/a.png", nil, 200),
        (.delete, "/media", nil, 204), (.get, "/tracking", nil, 200),
        (.delete, "/faults/f1", nil, 204), (.delete, "/faults", nil, 204),
        (.get, "/scenarios", nil, 200), (.post, "/scenarios/fcm-502-html", nil, 201),
        (.delete, "/scenarios/fcm-502-html", nil, 204),
        (.post, "/origins", ["origin": "http://localhost:3000"], 201), (.get, "/origins", nil, 200),
        (.delete, "/origins?origin=http://localhost:3000", nil, 204),
        (.get, "/clock", nil, 200), (.post, "/clock", ["advance": "1h"], 200),
        (.post, "/check/apns", ["headers": ["apns-topic": "a"], "body": ["aps": [:]]], 200),
        (.post, "/check/fcm", ["message": ["topic": "news"]], 200),
        (.get, "/schemas/apns", nil, 200), (.get, "/schemas/fcm", nil, 200),
        (.post, "/inspect", ["text": "ya29.x", "name": "token"], 200),
        (.get, "/rules", nil, 200), (.get, "/stats", nil, 200), (.get, "/credentials", nil, 200),
        (.post, "/credentials/expire", ["project": "shop"], 200),
        (.delete, "/messages", nil, 200), (.post, "/reset", nil, 200),
    ]

    @Test func `every route answers a good call as documented`() throws {
        let host = TestHost()
        var called: Set<String> = []
        func note(_ method: Method, _ path: String) {
            let route = ControlAPI.routes.first { $0.method == method && TestHost.matches($0.path, path) }
            called.insert("\(method.rawValue) \(route?.path ?? "nothing")")
        }
        for (method, path, body, status) in Self.calls {
            let answer = try host.call(method, path, body)
            #expect(answer.status == status, "\(method) \(path): \(answer.text)")
            if path == "/faults", method == .get {
                host.push(to: token(of: try host.ask(.get, "/devices/ann")))
            }
            note(method, path)
        }
        let key = try String(decoding: PrivateKey.generateP256().pem, as: UTF8.self)
        let body: JSONValue = ["keyId": "ABCDE12345", "teamId": "TEAM567890", "key": .string(key)]
        try host.ask(.post, "/credentials/apns-keys", body, status: 201)
        note(.post, "/credentials/apns-keys")
        let rsa = try String(decoding: PrivateKey.generateRSA2048().pem, as: UTF8.self)
        let account: JSONValue = ["client_email": "a@b.example", "private_key": .string(rsa)]
        try host.ask(.post, "/credentials/service-accounts", account, status: 201)
        note(.post, "/credentials/service-accounts")
        for path in ["/credentials/apns-keys/ABCDE12345", "/credentials/service-accounts/a@b.example"] {
            try host.ask(.delete, path, status: 204)
            note(.delete, path)
        }
        guard case .deferred(.events) = host.reply(.get, "/events") else { throw Unexpected("/events is no stream") }
        note(.get, "/events")
        #expect(called == Set(ControlAPI.routes.map { "\($0.method.rawValue) \($0.path)" }))
    }

    @Test func `a path that does not exist is refused, and so is a method that it does not take`() throws {
        let host = TestHost()
        for path in ["", "/", "/nothing", "/message", "/faults/f1/x", "/topics/news", "/check/huawei", "/Messages"] {
            let problem = try host.problem(.get, path)
            #expect(problem == .init(status: 404, code: "notFound", pointer: nil), "\(path)")
            #expect(problem.message.contains("/docs"))
        }
        let rows: [(Method, String, String)] = [
            (.put, "/faults", "POST, GET, DELETE"), (.get, "/faults/f1", "DELETE"), (.delete, "/clock", "GET, POST"),
            (.post, "/devices/x", "GET, PATCH, DELETE"), (.post, "/topics/news/devices/x", "PUT, DELETE"),
            (.get, "/scenarios/fcm-502-html", "POST, DELETE"), (.post, "/credentials", "GET"), (.post, "/stats", "GET"),
            (.delete, "/reset", "POST"), (.get, "/check/apns", "POST"), (.head, "/messages", "GET, DELETE, POST"),
            (.options, "/expect", "POST"), (.post, "/events", "GET"), (.post, "/rules", "GET"),
        ]
        for (method, path, allowed) in rows {
            let answer = try host.call(method, path)
            #expect(try host.problem(method, path) == .init(status: 405, code: "wrongMethod", pointer: nil))
            #expect(answer.header("allow") == allowed, "\(method) \(path)")
            #expect(answer.text.contains(allowed), "\(answer.text)")
        }
        #expect(try host.problem(.other, "/clock").message.contains("GET, POST"))
    }

    @Test func `no route takes a parameter that it does not know, or one twice`() throws {
        let host = TestHost()
        for route in ControlAPI.routes {
            let path = Self.filled(route.path)
            for query in ["colour=red", "Limit=1", "=", "colour"] + (route.query.isEmpty ? ["limit=1"] : []) {
                let problem = try host.problem(route.method, "\(path)?\(query)")
                #expect(problem == .init(status: 400, code: "badQuery", pointer: nil), "\(route.path)?\(query)")
                let names = route.query.isEmpty ? "has no query" : route.query[0].name
                #expect(problem.message.contains(names), "\(problem.message)")
            }
            for name in route.query.map(\.name) where name != "/…" {
                let problem = try host.problem(route.method, "\(path)?\(name)=1&\(name)=1")
                #expect(problem == .init(status: 400, code: "badQuery", pointer: nil), "\(route.path)?\(name)")
                #expect(problem.message.contains("'\(name)'"))
            }
        }
    }

    @Test func `every list refuses a limit or cursor that is out of range`() throws {
        let host = TestHost()
        try host.makeDevice("ios", ["id": "x"])
        host.push()
        let lists = ControlAPI.routes.filter { $0.query.contains { $0.name == "cursor" } }
        #expect(lists.count == 14)
        for route in lists {
            for query in [
                "limit=0", "limit=1001", "limit=x", "limit=", "limit=-1", "limit", "cursor=-1", "cursor=x", "cursor=",
                "cursor=12345678901234567",
            ] {
                let problem = try host.problem(.get, "\(Self.filled(route.path))?\(query)")
                #expect(problem == .init(status: 400, code: "badQuery", pointer: nil), "\(route.path)?\(query)")
                #expect(problem.message.contains("'\(query.prefix { $0 != "=" })'"))
            }
            let path = Self.filled(route.path).replacing("/messages/x", with: "/messages/p1")
            let last = "\(path)?limit=1000&cursor=9999999999999999"
            #expect(try host.ask(.get, last).at("next") == .null)
        }
    }

    /// A body of 64 KiB is the longest.
    @Test func `every route refuses a body that is too long`() throws {
        let host = TestHost()
        let long = [UInt8](repeating: UInt8(ascii: " "), count: 65_537)
        for route in ControlAPI.routes {
            let path = Self.filled(route.path)
            let tooLong = TestHost.Problem(status: 413, code: "tooLong", pointer: nil)
            #expect(try host.problem(route.method, path, raw: long) == tooLong, "\(route.path)")
        }
        let longest = Array(#"{"freeze":true}"#.utf8) + long.dropLast(16)
        #expect(longest.count == 65_536)
        #expect(try host.call(.post, "/clock", raw: longest).status == 200)
    }

    @Test func `every route that needs a body refuses one that is not JSON, not an object, or has unknown members`()
        throws
    {
        let host = TestHost()
        try host.makeDevice("ios", ["id": "x"])
        let routes = ControlAPI.routes.filter { $0.body != nil && $0.path != "/check/fcm" }
        #expect(routes.count == 17)
        for route in routes {
            let path = route.path == "/scenarios/{name}" ? "/scenarios/fcm-502-html" : Self.filled(route.path)
            for raw in ["{", "\u{0}", #"{"a":1} x"#, "'a'", String(repeating: "[", count: 20_000)]
                + (route.isBodyOptional ? [] : [""])
            {
                let problem = try host.problem(route.method, path, raw: Array(raw.utf8))
                #expect(problem == .init(status: 400, code: "notJSON", pointer: ""), "\(route.path) \(raw.prefix(9))")
            }
            for body: JSONValue in [[], 7, "x", true, nil] {
                let problem = try host.problem(route.method, path, raw: body.bytes)
                #expect(problem == .init(status: 400, code: "badField", pointer: ""), "\(route.path) \(body)")
            }
            // The file of a service account has members that are none of ours.
            if route.path == "/credentials/service-accounts" { continue }
            let problem = try host.problem(route.method, path, raw: Array(#"{"a/b~c":1}"#.utf8))
            #expect(problem.status == 400 && problem.code == "badField", "\(route.path)")
        }
        #expect(try host.ask(.get, "/faults") == ["faults": [], "next": nil])
    }

    private static func filled(_ pattern: String) -> String {
        pattern.split(separator: "/").map { $0.hasPrefix("{") ? "/x" : "/\($0)" }.joined()
    }
}

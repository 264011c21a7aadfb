import PushpitTesting
import Testing

/// The manners of a connection: those of the listener's vendor.
@Suite struct RoleTests {
    typealias Kind = TestGateway.Kind

    static let path = "/3/device/\(TestGateway.unknownToken)"

    private func push(_ connection: TestConnection, _ gateway: TestGateway, topic: String? = "com.example.app") throws
        -> Int
    {
        try connection.send(
            "POST", Self.path, headers: gateway.pushFields(topic: topic), body: Array(#"{"aps":{}}"#.utf8)
        )
        .status
    }

    @Test(arguments: Kind.allCases) func `each role offers its number of streams`(kind: Kind) throws {
        try TestGateway.run(kind) { gateway in
            for (role, limit) in [(TestRole.any, 1000), (.apns, 1), (.apnsSandbox, 1), (.fcm, 100)] {
                let connection = try gateway.connect(to: role)
                _ = try connection.send("GET", "/livez")
                #expect(connection.streamLimits.first == limit, "\(role)")
            }
        }
    }

    @Test(arguments: Kind.allCases) func `an accepted push raises the limit and a refused one drops it`(kind: Kind)
        throws
    {
        try TestGateway.run(kind) { gateway in
            let connection = try gateway.connect(to: .apns)
            try #expect(push(connection, gateway) == 200)
            #expect(connection.streamLimit == 1000)
            try #expect(push(connection, gateway, topic: nil) == 400)
            #expect(connection.streamLimit == 1)
            try #expect(push(connection, gateway) == 200)
            #expect(connection.streamLimit == 1000)
        }
    }

    @Test func `a token of an app that was taken off a device does not drop the limit`() throws {
        try TestGateway.run { gateway in
            let phone = try gateway.phone()
            let connection = try gateway.connect(to: .apns)
            try #expect(push(connection, gateway) == 200)
            try phone.ask("uninstall")
            let answer = try connection.send(
                "POST", "/3/device/\(phone.token())", headers: gateway.pushFields(), body: Array(#"{"aps":{}}"#.utf8))
            #expect(answer.status == 410)
            #expect(connection.streamLimit == 1000)
        }
    }

    @Test func `the stream limit does not change on a connection of role any`() throws {
        try TestGateway.run { gateway in
            let connection = try gateway.connect()
            try #expect(push(connection, gateway) == 200)
            try #expect(push(connection, gateway, topic: nil) == 400)
            #expect(connection.streamLimit == 1000)
        }
    }

    @Test(arguments: Kind.allCases) func `each vendor's listener answers paths that do not exist as the vendor does`(
        kind: Kind
    ) throws {
        try TestGateway.run(kind) { gateway in
            let rows = [
                ("HEAD", "/", 405, "MethodNotAllowed"), ("GET", "/", 405, "MethodNotAllowed"),
                ("POST", "/", 404, "BadPath"), ("POST", "/nothing", 404, "BadPath"),
                ("POST", "/" + Self.path, 404, "BadPath"), ("GET", "/" + Self.path, 405, "MethodNotAllowed"),
                ("POST", "/3//device/\(TestGateway.unknownToken)", 404, "BadPath"),
                ("POST", "/3/device//\(TestGateway.unknownToken)", 404, "BadPath"),
            ]
            for (method, path, status, reason) in rows {
                let connection = try gateway.connect(to: .apns)
                let answer = try connection.send(method, path, headers: gateway.pushFields(), body: [])
                #expect(answer.status == status, "\(method) \(path)")
                #expect(answer.json["reason"].string == (method == "HEAD" ? nil : reason), "\(method) \(path)")
                #expect(answer["apns-id"]?.count == 36, "\(method) \(path)")
            }
            let google = try gateway.connect(to: .fcm).send("GET", "/")
            #expect(google.status == 404)
            #expect(google["content-type"] == "text/html; charset=UTF-8")
            try #expect(gateway.connect(to: .apns).send("GET", "/readyz").status == 200)
            try #expect(gateway.send("GET", "/").status == 200, "without a role it is Pushpit's own page")
        }
    }

    @Test func `the stream limits can be configured`() throws {
        var configuration = TestConfiguration()
        (configuration.initialStreamLimit, configuration.streamLimit, configuration.fcmStreamLimit) = (2, 7, 9)
        try TestGateway.run(.embedded, configuration) { gateway in
            let apns = try gateway.connect(to: .apns)
            _ = try apns.send("GET", "/livez")
            #expect(apns.streamLimits.first == 2)
            try #expect(push(apns, gateway) == 200)
            #expect(apns.streamLimit == 7)
            let fcm = try gateway.connect(to: .fcm)
            _ = try fcm.send("GET", "/livez")
            #expect(fcm.streamLimit == 9)
        }
    }

    @Test func `the listener of the sandbox has the sandbox's devices`() throws {
        try TestGateway.run { gateway in
            try #expect(push(gateway.connect(to: .apnsSandbox), gateway) == 200)
            try #expect(gateway.ask("GET", "/messages")["messages"][0]["environment"] == "sandbox")
        }
    }

    @Test func `a client certificate needs no provider token and offers all streams at once`() throws {
        try TestGateway.run(.live) { gateway in
            let pem = try #require(try gateway.credentials?.read("apns-client.pem"))
            let connection = try gateway.connect(to: .apns, tls: .certificate(pem))
            let answer = try connection.send(
                "POST", Self.path, headers: ["apns-topic": "com.example.app"], body: Array(#"{"aps":{}}"#.utf8))
            #expect(answer.status == 200)
            #expect(connection.streamLimit == 1000)
        }
    }

    @Test func `an expired client certificate ends the connection, not the request`() throws {
        try TestGateway.run(.live) { gateway in
            let pem = try #require(try gateway.credentials?.read("expired.pem"))
            let connection = try gateway.connect(to: .apns, tls: .certificate(pem))
            #expect(throws: TestFailure.self) { try push(connection, gateway) }
            #expect(connection.goAways.map(\.text) == [#"{"reason":"BadCertificate"}"#, ""])
            #expect(connection.goAways.map(\.lastStream) == [0, 0])
            try #expect(connection.isEnded())
        }
    }

    @Test func `a connection for one of Apple's host names in TLS has role apns`() throws {
        try TestGateway.run(.live) { gateway in
            let connection = try gateway.connect(hostName: "api.push.apple.com")
            try #expect(push(connection, gateway) == 200)
            #expect(connection.streamLimits == [1, 1000])
            let google = try gateway.connect(hostName: "fcm.googleapis.com")
            _ = try google.send("GET", "/v1/unknown")
            #expect(google.streamLimit == 100)
        }
    }
}

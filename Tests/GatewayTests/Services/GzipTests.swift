import Compression
import PushpitTesting
import Testing

@testable import Gateway

/// Google's clients that compress their requests and ask for compressed answers.
@Suite struct GzipTests {
    typealias Version = TestConnection.Version

    static let path = "/v1/projects/shop/messages:send"
    static let encoded: TestFields = ["authorization": "Bearer x", "content-encoding": "gzip"]
    static let dotNet: TestFields = [
        "authorization": "Bearer x", "accept-encoding": "gzip",
        "user-agent": "fire-admin google-api-dotnet-client (gzip)",
    ]

    private static func gzip(_ text: String) throws -> [UInt8] { try #require(Gzip.compress(Array(text.utf8))) }

    @Test(arguments: Version.allCases) func `a compressed message is decoded and recorded in plain text`(
        version: Version
    ) throws {
        try TestGateway.run { gateway in
            let phone = try gateway.phone("android", hello: ["wants": ["push"]])
            let body = try Self.gzip(#"{"message":{"token":"\#(phone.token("fcm"))","data":{"a":"b"}}}"#)
            for name in ["gzip", "x-gzip", "GZIP"] {
                let answer = try gateway.connect(over: version).send(
                    "POST", Self.path, headers: ["authorization": "Bearer x", "content-encoding": name], body: body)
                #expect(answer.status == 200, "\(name): \(answer.text)")
                #expect(answer["content-encoding"] == nil)
            }
            try #expect(phone.pushes().count == 3)
            let request = try gateway.ask("GET", "/messages/p1")["request"]
            #expect(request["body"]["message"]["data"] == ["a": "b"])
            #expect(!request["headers"].array.contains { $0[0] == "content-encoding" })
        }
    }

    @Test func `other paths of Google's decode too, and Apple's do not`() throws {
        try TestGateway.run { gateway in
            let form = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=x"
            let refused = try gateway.send(
                "POST", "/token",
                headers: ["content-encoding": "gzip", "content-type": "application/x-www-form-urlencoded"],
                body: Self.gzip(form))
            let plain = try gateway.send(
                "POST", "/token", headers: ["content-type": "application/x-www-form-urlencoded"], body: Array(form.utf8)
            )
            #expect(refused.text == plain.text)
            let push = try gateway.send(
                "POST", "/3/device/\(TestGateway.unknownToken)",
                headers: gateway.pushFields(["content-encoding": "gzip"]), body: Self.gzip(#"{"aps":{}}"#))
            #expect(push.status == 400)
            #expect(push.json["rule"] == "payload.not-json")
        }
    }

    @Test(arguments: Version.allCases) func `a broken body gets the page of Google's front end`(version: Version) throws
    {
        try TestGateway.run { gateway in
            let whole = try Self.gzip(#"{"message":{"topic":"t"}}"#)
            for body in [Array(#"{"message":{"topic":"t"}}"#.utf8), Array(whole.dropLast()), whole + [0]] {
                let answer = try gateway.connect(over: version).send(
                    "POST", Self.path, headers: Self.encoded, body: body)
                #expect(answer.status == 400)
                #expect(answer["content-type"] == "text/html; charset=UTF-8")
                #expect(answer.text.contains("Your client has issued a malformed or illegal request."))
                #expect(answer["date"] != nil)
            }
            #expect(gateway.embedded.log.lines.count { $0.contains("rule=fcm.broken-gzip") } == 3)
            try #expect(gateway.ask("GET", "/messages")["messages"].array.isEmpty)
        }
    }

    @Test func `a body that decompresses to too much is too large`() throws {
        try TestGateway.run { gateway in
            let message = #"{"message":{"topic":"t","data":{"a":""# + String(repeating: "x", count: 3000) + #""}}}"#
            // Beyond a megabyte, and below it at a ratio that no real body has.
            for count in [2 << 20, 200 << 10] {
                let padded = message + String(repeating: " ", count: count)
                let answer = try gateway.send("POST", Self.path, headers: Self.encoded, body: Self.gzip(padded))
                #expect(answer.status == 400)
                #expect(answer.json["error"]["status"] == "INVALID_ARGUMENT", "\(answer.text)")
            }
            let short = message + String(repeating: " ", count: 50 << 10)
            try #expect(gateway.send("POST", Self.path, headers: Self.encoded, body: Self.gzip(short)).status == 200)
        }
    }

    @Test func `another encoding is read as it is`() throws {
        try TestGateway.run { gateway in
            for (name, status) in [("identity", 200), ("br", 200), ("gzip, br", 200)] {
                let answer = try gateway.send(
                    "POST", Self.path, headers: ["authorization": "Bearer x", "content-encoding": name],
                    body: Array(#"{"message":{"topic":"t"}}"#.utf8))
                #expect(answer.status == status, "\(name)")
            }
        }
    }

    @Test(arguments: Version.allCases) func `an answer is compressed for clients that ask as Google's do`(
        version: Version
    ) throws {
        try TestGateway.run { gateway in
            let connection = try gateway.connect(over: version)
            for (body, status) in [(#"{"message":{"topic":"t"}}"#, 200), ("{", 400)] {
                let answer = try connection.send("POST", Self.path, headers: Self.dotNet, body: Array(body.utf8))
                #expect(answer.status == status)
                #expect(answer["content-encoding"] == "gzip")
                let text = String(decoding: try Gzip.decompress(answer.body, limit: 10_000), as: UTF8.self)
                #expect(text.hasPrefix(status == 200 ? "{\n  \"name\": \"projects/shop" : "{\n  \"error\""), "\(text)")
            }
        }
    }

    static let plain: [TestFields] = [
        ["accept-encoding": "gzip"], ["user-agent": "a (gzip)"], ["accept-encoding": "gzip", "user-agent": "curl/8"],
        ["accept-encoding": "br, deflate", "user-agent": "a (gzip)"],
        ["accept-encoding": "gzip;q=0", "user-agent": "a (gzip)"],
        ["accept-encoding": "br, gzip; q=0.0", "user-agent": "a (gzip)"],
    ]

    @Test(arguments: plain.indices) func `all others get plain answers`(index: Int) throws {
        try TestGateway.run { gateway in
            let fields = Self.plain[index].appending(["authorization": "Bearer x"])
            let answer = try gateway.send(
                "POST", Self.path, headers: fields, body: Array(#"{"message":{"topic":"t"}}"#.utf8))
            #expect(answer["content-encoding"] == nil)
            #expect(answer.json["name"].string != nil)
        }
    }

    @Test func `a fault's answer is compressed too`() throws {
        try TestGateway.run { gateway in
            try gateway.setFault(["answer": ["status": 503, "reason": "UNAVAILABLE"]], ["times": 1])
            let answer = try gateway.send(
                "POST", Self.path, headers: Self.dotNet, body: Array(#"{"message":{"topic":"t"}}"#.utf8))
            #expect(answer.status == 503)
            try #expect(
                String(decoding: Gzip.decompress(answer.body, limit: 9999), as: UTF8.self).contains("UNAVAILABLE"))
        }
    }
}

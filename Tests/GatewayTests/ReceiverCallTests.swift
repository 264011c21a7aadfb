import Compression
import PushpitTesting
import Testing

@testable import Gateway

/// Calls with which real browsers and web apps register.
@Suite struct ReceiverCallTests {
    private static let installing = Array(#"{"fid":"","appId":"1:2:web:3"}"#.utf8)
    private static let installations = "/v1/projects/shop/installations"

    @Test func `a fault that names the path of a registration replaces its answer`() throws {
        try TestGateway.run(.embedded) { gateway in
            let refusal = #"{"status":200,"contentType":"text/plain","body":"Error=QUOTA_EXCEEDED"}"#
            for (path, answer) in [("/c2dm/register3", refusal), ("/checkin", #"{"status":401}"#)] {
                let fault = #"{"match":{"path":"\#(path)"},"effect":{"answer":\#(answer)},"times":1}"#
                try #expect(gateway.send("POST", "/api/v1/faults", body: Array(fault.utf8)).status == 201)
            }
            let given = try gateway.send("POST", "/c2dm/register3")
            #expect(given.status == 200 && given.text == "Error=QUOTA_EXCEEDED")
            try #expect(gateway.send("POST", "/c2dm/register3").text == "Error=AUTHENTICATION_FAILED")
            try #expect(gateway.send("POST", "/checkin").status == 401)
            try #expect(gateway.send("POST", "/checkin").status == 200)
            #expect(gateway.events().count { $0.kind == "fault" } == 2)
        }
    }

    @Test func `a fault that only has a reason gets the form of Google's errors, and keeps nothing`() throws {
        try TestGateway.run(.embedded) { gateway in
            let fault = """
                {"match":{"path":"\(Self.installations)"},"effect":{"answer":{"status":403,"reason":"PERMISSION_DENIED"}}}
                """
            try #expect(gateway.send("POST", "/api/v1/faults", body: Array(fault.utf8)).status == 201)
            let key = ["x-goog-api-key": "any"] as TestFields
            let refused = try gateway.send("POST", Self.installations, headers: key, body: Self.installing)
            #expect(refused.status == 403 && refused.json["error"]["status"] == "PERMISSION_DENIED")
            try #expect(gateway.send("DELETE", "/api/v1/faults").status == 204)
            try #expect(
                gateway.send("POST", Self.installations, headers: key, body: Self.installing).status == 200)
        }
    }

    @Test func `a fault that names no path leaves registrations alone`() throws {
        try TestGateway.run(.embedded) { gateway in
            let fault = #"{"effect":{"answer":{"status":500}}}"#
            try #expect(gateway.send("POST", "/api/v1/faults", body: Array(fault.utf8)).status == 201)
            try #expect(gateway.send("POST", "/checkin").status == 200)
        }
    }

    @Test func `a page is let in as soon as its origin is allowed`() throws {
        try TestGateway.run(.embedded) { gateway in
            let page = ["x-goog-api-key": "any", "origin": "http://shop.example:3000"] as TestFields
            func install() throws -> TestResponse {
                try gateway.send("POST", Self.installations, headers: page, body: Self.installing)
            }
            try #expect(install().status == 403)
            let origin = Array(#"{"origin":"HTTP://shop.example:3000"}"#.utf8)
            try #expect(gateway.send("POST", "/api/v1/origins", body: origin).status == 201)
            let answer = try install()
            #expect(answer.status == 200)
            #expect(answer["access-control-allow-origin"] == "http://shop.example:3000")
            let place = "/api/v1/origins?origin=http://shop.example:3000"
            try #expect(gateway.send("DELETE", place).status == 204)
            try #expect(install().status == 403)
        }
    }

    @Test func `a compressed checkin is read, and a damaged one counts as a first checkin`() throws {
        try TestGateway.run(.embedded) { gateway in
            let first = try gateway.send("POST", "/checkin").body
            // The id is field 7 and the token field 8, each with eight bytes. The claim has them as fields 2 and 13.
            let id = try #require(first.indices.first { first[$0] == 0x39 })
            var number = first[(id + 1)..<(id + 9)].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            var claim: [UInt8] = [0x10]
            while number > 0x7F {
                claim.append(UInt8(truncatingIfNeeded: number) | 0x80)
                number >>= 7
            }
            claim += [UInt8(number), 0x69] + first[(id + 10)..<(id + 18)]
            let fields = ["content-encoding": "gzip"] as TestFields
            let again = try gateway.send("POST", "/checkin", headers: fields, body: try #require(Gzip.compress(claim)))
            #expect(again.body.suffix(18) == first.suffix(18))
            let damaged = try gateway.send("POST", "/checkin", headers: fields, body: [1, 2, 3])
            #expect(damaged.status == 200 && damaged.body.suffix(18) != first.suffix(18))
        }
    }

    @Test func `web pushes are found by their origin, and by its host as in the test kits`() throws {
        try TestGateway.run(.embedded) { gateway in
            let spec = #"{"platform":"web","app":"https://shop.example","subscription":{"pushService":"mozilla"}}"#
            let made = try gateway.send("POST", "/api/v1/devices", body: Array(spec.utf8))
            let endpoint = made.json["devices"][0]["subscription"]["endpoint"].string ?? ""
            let path = "/wpush/" + (endpoint.split(separator: "/wpush/").last ?? "")
            let answer = try gateway.send("POST", path, headers: ["ttl": "60"])
            #expect(answer.status == 201, "\(path): \(answer.text)")
            for name in ["https://shop.example", "shop.example"] {
                try #expect(gateway.ask("GET", "/messages?app=\(name)")["messages"].array.count == 1, "\(name)")
            }
            try #expect(gateway.ask("GET", "/messages?app=example")["messages"].array.isEmpty)
            let reset = try gateway.send("POST", "/api/v1/reset", body: Array(#"{"app":"shop.example"}"#.utf8))
            #expect(reset.json["messages"] == 1, "\(reset.text)")
        }
    }
}

import HTTPCore
import PushCore
import Testing

@testable import Receivers

/// Web pushes, as Apple's service takes and refuses them.
@Suite struct AppleWebPushTests {
    private typealias Fixture = ReceiverFixture

    private static func vapid(_ subject: String?) -> String {
        let sub = subject.map { #","sub":"\#($0)""# } ?? ""
        return Fixture.vapid(#"{"aud":"https://web.push.apple.com","exp":1790003600\#(sub)}"#)
    }

    private static func reason(
        _ changes: [String: String?], text: String = "x", to endpoint: PushService.Endpoint
    ) throws -> String {
        var fields: [String: String?] = [
            "ttl": "60", "content-encoding": "aes128gcm", "authorization": vapid("mailto:a@example.com"),
        ]
        fields.merge(changes) { $1 }
        var headers = HeaderBlock([.method: "POST", .path: "/QGuQ", .authority: "web.push.apple.com"])
        for (name, value) in fields { if let value { headers.append(HeaderName(name), value) } }
        var request = Request(version: .http2, headers: headers)
        request.body = Array(text.utf8)
        let push = try #require(WebPush(request, PushID(1), at: Fixture.now))
        #expect(push.service == .apple && push.token == "QGuQ")
        do throws(WebPushRefusal) {
            let terms = try push.service.check(push, endpoint, { _, _, _ in true })
            return "201 \(terms.lifetime)"
        } catch { return "\(error.response.status) \(error.reason)" }
    }

    static let rows: [(changes: [String: String?], answer: String)] = [
        ([:], "201 60"), (["ttl": "4294967295"], "201 2419200"), (["topic": "neueangebote"], "201 60"),
        (["authorization": vapid("https://example.com/contact")], "201 60"),
        (["authorization": nil], "403 BadJwtToken"), (["authorization": "vapid t=a.b.c"], "403 BadVapidPublicKey"),
        (["authorization": vapid(nil)], "403 BadJwtToken"), (["authorization": vapid("a@b.c")], "403 BadJwtToken"),
        (["authorization": vapid("mailto: a@b.c")], "403 BadJwtToken"),
        (["authorization": vapid("mailto:<a@b.c>")], "403 BadJwtToken"),
        (["authorization": vapid("mailto:a@localhost")], "403 BadJwtToken"),
        (["authorization": vapid("mailto:a@")], "403 BadJwtToken"),
        (["authorization": Fixture.vapid(#"{"aud":"https://web.push.apple.com","exp":1}"#)], "403 BadJwtToken"),
        (["ttl": nil], "400 BadTtl"), (["urgency": "now"], "400 BadUrgency"),
        (["topic": "spike"], "400 BadWebPushTopic"), (["topic": "neue-angebote"], "400 BadWebPushTopic"),
        (["topic": String(repeating: "t", count: 33)], "400 BadWebPushTopic"),
        (["content-encoding": "aesgcm"], "400 BadWebPushRequest"),
    ]

    @Test(arguments: rows.indices) func `a push is taken, or refused with Apple's word`(_ index: Int) throws {
        #expect(try Self.reason(Self.rows[index].changes, to: .open(key: nil)) == Self.rows[index].answer)
    }

    @Test func `the subscription decides too`() throws {
        let key = try #require(Base64URL.decode(Fixture.key.utf8))
        #expect(try Self.reason([:], to: .open(key: key)) == "201 60")
        #expect(try Self.reason([:], to: .open(key: [4])) == "400 VapidPkHashMismatch")
        #expect(try Self.reason([:], to: .ended) == "410 Unregistered")
        #expect(try Self.reason([:], to: .unknown) == "404 BadPath")
        let long = String(repeating: "x", count: 4097)
        #expect(try Self.reason([:], text: long, to: .open(key: nil)) == "413 PayloadTooLarge")
    }
}

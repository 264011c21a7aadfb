import HTTPCore
import PushCore
import Testing

@testable import Receivers

/// Web pushes, as Google's service takes and refuses them.
struct WebPushTests {
    private typealias Fixture = ReceiverFixture

    private static let expiry = 1_790_000_000
    static let refused: [(changes: [String: String?], rule: String, status: Int)] = [
        (["authorization": nil], "webpush.no-authorization", 401),
        (["authorization": "vapid"], "webpush.no-key", 403), (["authorization": "Basic x"], "webpush.no-key", 403),
        (["authorization": "WebPush a.b.c"], "webpush.no-key", 403),
        (["authorization": "vapid t=a.b.c,k=AAAA"], "webpush.bad-key", 403),
        (["authorization": "vapid t=a.b.c,k=\(Fixture.key.dropLast())!"], "webpush.key-not-base64", 403),
        (["authorization": "vapid t=a.b.c,k=A\(Fixture.key.dropFirst())"], "webpush.key-compressed", 403),
        (["authorization": "vapid t=a.b,k=\(Fixture.key)"], "webpush.bad-jwt", 403),
        (["authorization": "vapid t=a.b.c,k=\(Fixture.key)"], "webpush.bad-jwt", 403),
        (["authorization": Fixture.vapid("[]")], "webpush.bad-jwt", 403),
        (["authorization": Fixture.vapid(head: #"{"alg":"none"}"#)], "webpush.bad-jwt", 403),
        (["authorization": Fixture.vapid("{}")], "webpush.no-exp", 403),
        (["authorization": Fixture.vapid(#"{"exp":"\#(expiry + 9)"}"#)], "webpush.no-exp", 403),
        (["authorization": Fixture.vapid(#"{"exp":\#(expiry)}"#)], "webpush.expired", 403),
        (["authorization": Fixture.vapid(#"{"exp":\#(expiry + 90_000)}"#)], "webpush.exp-too-late", 403),
        (["authorization": Fixture.vapid(#"{"exp":\#(expiry + 9)}"#)], "webpush.bad-aud", 403),
        (
            ["authorization": Fixture.vapid(#"{"exp":\#(expiry + 9),"aud":"https://example.com"}"#)], "webpush.bad-aud",
            403
        ),
        (
            ["authorization": Fixture.vapid(key: Base64URL.encode([4] + [UInt8](repeating: 8, count: 64)))],
            "webpush.other-key", 403
        ),
        (["ttl": nil], "webpush.bad-ttl", 400), (["ttl": "-1"], "webpush.bad-ttl", 400),
        (["ttl": "x"], "webpush.bad-ttl", 400),
        (["topic": String(repeating: "t", count: 33)], "webpush.bad-topic", 400),
        (["topic": "a b"], "webpush.bad-topic", 400),
        (["topic": ""], "webpush.bad-topic", 400),
    ]

    @Test(arguments: refused.indices) func `a bad push is refused by its rule`(_ index: Int) throws {
        var fixture = try Fixture()
        let row = Self.refused[index]
        let answer = fixture.push(try fixture.subscribe(), "x", row.changes)
        #expect(answer.refusal?.id == RuleID(row.rule) && answer.response.status == row.status)
        #expect(fixture.book.clients[fixture.id.android]?.queue.isEmpty == true)
    }

    @Test(
        arguments: [
            [
                "https://fcm.googleapis.com", "https://jmt17.google.com", "https://fcm.googleapis.com:443",
                "https://FCM.googleapis.com/",
            ]
        ].joined())
    func `an audience is compared by its host`(_ audience: String) throws {
        var fixture = try Fixture()
        let vapid = Fixture.vapid(#"{"exp":\#(Self.expiry + 9),"aud":"\#(audience)"}"#)
        #expect(fixture.push(try fixture.subscribe(), "x", ["authorization": vapid]).refusal == nil)
    }

    @Test func `the old form of the signature has its key in another field`() throws {
        var fixture = try Fixture()
        let token = Fixture.vapid().dropFirst("vapid t=".count).prefix { $0 != "," }
        let old: [String: String?] = [
            "authorization": "WebPush \(token)", "crypto-key": "dh=abc;p256ecdsa=\(Fixture.key)",
            "encryption": "salt=x",
            "content-encoding": "aesgcm",
        ]
        #expect(fixture.push(try fixture.subscribe(), "x", old).response.status == 201)
        let encoding = try #require(fixture.book.clients[fixture.id.android]?.queue.pushes.first?.encoding)
        #expect(encoding.name == "aesgcm" && encoding.encryption == "salt=x")
        #expect(encoding.cryptoKey == "dh=abc;p256ecdsa=\(Fixture.key)")
    }

    @Test func `a body may have 4,096 bytes, and one more is too large before anything else is checked`() throws {
        var fixture = try Fixture()
        let token = try fixture.subscribe()
        #expect(fixture.push(token, String(repeating: "x", count: 4096)).response.status == 201)
        let large = fixture.push(token, String(repeating: "x", count: 4097), ["authorization": nil])
        #expect(large.refusal?.id == RuleID("webpush.too-large") && large.response.status == 400)
    }

    @Test func `a topic replaces what waits, and a lifetime ends`() throws {
        var fixture = try Fixture()
        let token = try fixture.subscribe()
        _ = fixture.push(token, "old", ["topic": "t"])
        _ = fixture.push(token, "short", ["ttl": "1"])
        _ = fixture.push(token, "now", ["ttl": "0"])
        _ = fixture.push(token, "new", ["topic": "t"])
        try fixture.handle(fixture.login(), at: Fixture.now + 5000)
        #expect(try fixture.takeOutput(at: Fixture.now + 5000) == ["login", "push new"])
    }

    @Test func `what was sent counts apart from what waits, and comes again`() throws {
        var fixture = try Fixture()
        let token = try fixture.subscribe()
        _ = try fixture.receive(fixture.login())
        for _ in 0..<PushQueue.most + 50 {
            _ = fixture.push(token)
            _ = try fixture.takeOutput()
        }
        fixture.session = MCSSession()
        #expect(try fixture.receive(fixture.login()).count == 1 + PushQueue.most + 50)
        for _ in 0..<PushQueue.mostSent {
            _ = fixture.push(token)
            _ = try fixture.takeOutput()
        }
        #expect(fixture.book.clients[fixture.id.android]?.queue.pushes.count == PushQueue.mostSent)
        #expect(fixture.book.log.waitingBytes == PushQueue.mostSent * 513)
    }

    @Test func `too many waiting pushes are all dropped`() throws {
        var fixture = try Fixture()
        let token = try fixture.subscribe()
        for _ in 0...PushQueue.most { _ = fixture.push(token) }
        #expect(fixture.book.clients[fixture.id.android]?.queue.pushes.count == 1)
        // The client learns this before it gets the last one.
        #expect(try fixture.receive(fixture.login()) == ["login", "lost 100", "push x"])
    }

    @Test func `an endpoint of a registration with a project's number takes no VAPID key`() throws {
        var fixture = try ReceiverFixture()
        let token = fixture.register("app=a&X-subtype=b&device=1&sender=745476177629").dropFirst("200 token=".count)
        #expect(fixture.push(String(token)).refusal?.id == RuleID("webpush.other-sender"))
    }
}

import HTTPCore
import PushCore
import Testing

@testable import Receivers

/// Clients of Mozilla's push service, and web pushes to them.
struct AutopushTests {
    private typealias Fixture = ReceiverFixture
    private static let channel = AutopushClient.channel
    private static let other = "5b1e3f24-0000-4000-8000-00000000000b"

    @Test func `a client says hello, and keeps its id while it has subscriptions`() throws {
        var client = AutopushClient()
        let answer = try client.connect("unknown")
        let id = try #require(client.session.client)
        #expect(answer == #"{"messageType":"hello","status":200,"uaid":"\#(id)","use_webpush":true,"broadcasts":{}}"#)
        #expect(id.utf8.count == 32)
        _ = try client.subscribe()
        client.book.disconnect(id, Fixture.first)
        _ = try client.connect(id)
        #expect(client.session.client == id)
        _ = try client.say(#"{"messageType":"unregister","channelID":"\#(Self.channel)","code":200}"#)
        client.book.disconnect(id, Fixture.first)
        _ = try client.connect(id)
        #expect(client.session.client != id)
    }

    @Test func `a push is delivered, acknowledged or sent again`() throws {
        var client = AutopushClient()
        _ = try client.connect()
        let id = try #require(client.session.client)
        let token = try client.subscribe()
        let answer = client.push(token, "hello")
        #expect(answer.response.status == 201 && client.real.takeWoken() == [Fixture.first])
        let version = try #require(client.pushes.first?.id)
        let text =
            #"{"messageType":"notification","channelID":"\#(Self.channel)","version":"\#(version)","data":"aGVsbG8","headers":{"encoding":"aes128gcm"}}"#
        let sent = [client.next(), client.next()]
        #expect(sent == [text, nil])
        #expect(try client.connect(id).hasSuffix(text))
        _ = try client.say(#"{"messageType":"ack","updates":[{"channelID":"x","version":"\#(version)","code":100}]}"#)
        #expect(client.pushes.isEmpty)
        // The service worker has failed after the acknowledgement.
        _ = client.real.takeNews()
        _ = try client.say(#"{"messageType":"nack","version":"\#(version)","code":301}"#)
        #expect(client.real.takeNews() == [.push(PushID(1), token: token, .acknowledged(code: 301))])
        #expect(try !client.connect(id).contains("notification"))
    }

    @Test func `messages that are no pushes are answered as autopush does`() throws {
        var client = AutopushClient()
        _ = try client.connect()
        #expect(try client.say("{}") == "{}")
        #expect(try client.say(#"{"messageType":"broadcast_subscribe","broadcasts":{}}"#) == "")
        #expect(try client.say(#"{"messageType":"nack","version":"none","code":301}"#) == "")
        #expect(try client.say(#"{"other":1}"#) == "")
        for bad in [#""channelID":"X""#, #""channelID":"\#(Self.channel)","key":"AAAA""#, #""a":1"#] {
            #expect(try client.say(#"{"messageType":"register",\#(bad)}"#).contains(#""status":400"#), "\(bad)")
        }
        for bad in ["", "[]", "x", #"{"messageType":"hello"}"#] {
            #expect(throws: AutopushSession.Problem.self, "\(bad)") { _ = try client.say(bad) }
        }
        var silent = AutopushClient()
        #expect(throws: AutopushSession.Problem.self) { _ = try silent.say(#"{"messageType":"ack"}"#) }
    }

    static let refused: [(changes: [String: String?], rule: String, status: Int)] = [
        (["authorization": nil], "mozilla.no-jwt", 401), (["authorization": "Basic x"], "mozilla.unknown-scheme", 401),
        (["authorization": "vapid t=a.b.c"], "mozilla.no-key", 401),
        (["authorization": "vapid k=AAAA"], "mozilla.no-jwt", 401),
        (["authorization": "vapid t=a.b.c,k=AAAA"], "mozilla.bad-key", 401),
        (
            ["authorization": Fixture.vapid(key: Base64URL.encode([4] + [UInt8](repeating: 8, count: 64)))],
            "mozilla.other-key", 401
        ),
        (["authorization": Fixture.vapid(#"{"exp":1}"#)], "mozilla.expired", 401),
        (["authorization": Fixture.vapid(#"{"exp":1790090000}"#)], "mozilla.exp-too-late", 401),
        (["authorization": Fixture.vapid()], "mozilla.bad-aud", 401),
        (["authorization": Fixture.vapid("{}")], "mozilla.bad-claim", 401),
        (
            ["authorization": Fixture.vapid(#"{"aud":"https://localhost","exp":1790000009,"sub":null}"#)],
            "mozilla.bad-claim", 401
        ),
        (["authorization": Fixture.vapid(#"{"exp":"1790000009"}"#)], "mozilla.bad-claim", 401),
        (["ttl": nil], "mozilla.no-ttl", 400), (["ttl": "-1"], "mozilla.negative-ttl", 400),
        (["topic": "a b"], "mozilla.bad-topic", 400),
        (["topic": String(repeating: "t", count: 33)], "mozilla.long-topic", 400),
        (["content-encoding": "aesgcm"], "mozilla.no-encryption", 400),
        (["content-encoding": "aesgcm", "encryption": "rs=1"], "mozilla.no-salt", 400),
        (["crypto-key": "dh=BA"], "mozilla.unwanted-dh", 400),
        (["content-encoding": nil], "mozilla.no-encoding", 400),
        (["content-encoding": "gzip"], "mozilla.unknown-encoding", 400),
    ]

    @Test(arguments: refused.indices) func `a bad push is refused by its rule`(_ index: Int) throws {
        var client = AutopushClient()
        _ = try client.connect()
        let row = Self.refused[index]
        let answer = client.push(try client.subscribe(), "x", row.changes)
        #expect(answer.refusal?.id == RuleID(row.rule) && answer.response.status == row.status)
        #expect(client.pushes.isEmpty)
    }

    @Test func `the end of a subscription, and limits`() throws {
        var client = AutopushClient()
        _ = try client.connect()
        let token = try client.subscribe()
        #expect(client.push("unknown").refusal?.id == RuleID("mozilla.unknown-token"))
        #expect(client.push(token, String(repeating: "x", count: 4097)).response.status == 413)
        let large = String(repeating: "x", count: 4096)
        #expect(
            client.push(token, large, ["ttl": "99999999999"]).response.headers.first(HeaderName("ttl"))?.elementsEqual(
                "5184000".utf8) == true)
        // A subscription without a key takes pushes of anybody.
        let open = try client.subscribe(Self.other, key: nil)
        #expect(client.push(open, "", ["authorization": nil, "content-encoding": nil]).response.status == 201)
        _ = try client.say(#"{"messageType":"unregister","channelID":"\#(Self.channel)"}"#)
        #expect(client.push(token).response.status == 410)
        for _ in 0..<PushQueue.most + 5 { _ = client.push(open, "x", ["authorization": nil]) }
        #expect(client.pushes.count { !$0.wasEverSent } == PushQueue.most)
    }

    @Test func `a client that connects anew may end its old subscription`() throws {
        var client = AutopushClient()
        _ = try client.connect()
        let token = try client.subscribe()
        _ = try client.connect()
        _ = try client.say(#"{"messageType":"unregister","channelID":"\#(Self.channel)","code":200}"#)
        #expect(client.push(token).response.status == 410)
    }

    @Test func `a push that waits can be deleted, replaced or too late`() throws {
        var client = AutopushClient()
        _ = try client.connect()
        let id = try #require(client.session.client)
        let token = try client.subscribe()
        client.book.disconnect(id, Fixture.first)
        for (text, changes) in [
            ("old", ["topic": "t"]), ("late", ["ttl": "1"]), ("now", ["ttl": "0"]), ("new", ["topic": "t"]),
            ("gone", [:]),
        ] {
            #expect(client.push(token, text, changes).response.status == 201)
        }
        let gone = try #require(client.pushes.last?.id)
        #expect(client.book.delete(gone) && !client.book.delete(gone))
        let texts = try client.connect(id, at: Fixture.now + 5000)
        #expect(texts.split(separator: "notification").count == 2 && texts.contains(Base64URL.encode("new".utf8)))
    }

    @Test func `only answers about channels wait for the disk`() throws {
        var client = AutopushClient()
        let messages = [
            (#"{"messageType":"register","channelID":"\#(Self.channel)"}"#, true), ("{}", false),
            (#"{"messageType":"register","channelID":"x"}"#, false),
            (#"{"messageType":"unregister","channelID":"\#(Self.channel)"}"#, true),
            (#"{"messageType":"ack","updates":[]}"#, false),
        ]
        _ = try client.connect()
        #expect(!client.session.hasChangedChannels)
        for (message, changes) in messages {
            _ = try client.say(message)
            #expect(client.session.hasChangedChannels == changes, "\(message)")
        }
    }
}

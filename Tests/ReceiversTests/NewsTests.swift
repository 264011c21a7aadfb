import PushCore
import Testing

@testable import Receivers

/// What the books report for the log of events.
@Suite struct NewsTests {
    private typealias Fixture = ReceiverFixture

    private static func words(_ news: [ReceiverNews]) -> [String] {
        news.map { one in
            switch one {
            case .subscribed(let receiver): "subscribed \(receiver.client) \(receiver.app)"
            case .unsubscribed: "unsubscribed"
            case .topic(let name, let isWanted, let token): "\(name) \(isWanted) \(token)"
            case .connected(let isConnected, let tokens): "\(isConnected ? "on" : "off") \(tokens.count)"
            case .push(let push, _, .replaced(let newer)): "\(push) replaced by \(newer)"
            case .push(let push, _, .dropped(let reason)): "\(push) dropped \(reason)"
            case .push(let push, _, .acknowledged(let code)): "\(push) acknowledged \(code ?? 0)"
            case .push(let push, _, let fate): "\(push) \(fate)"
            case .registered: "registered"
            case .unregistered: "unregistered"
            }
        }
    }

    @Test func `Chromium subscribes, receives, acknowledges and unsubscribes`() throws {
        var fixture = try Fixture()
        let token = try fixture.subscribe("page.example")
        #expect(Self.words(fixture.real.takeNews()) == ["subscribed Chromium https://page.example"])
        _ = fixture.push(token, "a")
        _ = try fixture.receive(fixture.login())
        #expect(Self.words(fixture.real.takeNews()) == ["p1 stored", "on 1", "p1 delivered"])
        _ = try fixture.receive(Fixture.frame(.heartbeatPing) { $0.number(2, 2) })
        _ = fixture.push(token, "b")
        _ = try fixture.takeOutput()
        #expect(Self.words(fixture.real.takeNews()) == ["p1 acknowledged 0", "p2 delivered"])
        fixture.book.disconnect(fixture.id.android, Fixture.first)
        fixture.book.end(token)
        #expect(Self.words(fixture.real.takeNews()) == ["off 1", "unsubscribed"])
    }

    @Test func `a push that does not arrive has a reason`() throws {
        var fixture = try Fixture()
        let token = try fixture.subscribe()
        _ = fixture.real.takeNews()
        _ = fixture.push(token, "x", ["topic": "t"])
        _ = fixture.push(token, "x", ["ttl": "0"])
        _ = fixture.push(token, "x", ["topic": "t"])
        #expect(
            Self.words(fixture.real.takeNews()) == [
                "p1 stored", "p2 dropped notConnected", "p1 replaced by p3", "p3 stored",
            ])
        for _ in 1...PushQueue.most { _ = fixture.push(token) }
        let dropped = Self.words(fixture.real.takeNews()).filter { $0.contains("tooMany") }
        #expect(dropped.count == PushQueue.most && dropped.first == "p3 dropped tooMany")
        try fixture.handle(fixture.login(), at: Fixture.now + 61_000)
        _ = try fixture.takeOutput(at: Fixture.now + 61_000)
        #expect(Self.words(fixture.real.takeNews()) == ["on 1", "p103 dropped expired"])
    }

    @Test(arguments: [
        ("wp:https://a.example/#G-V2", "Chromium https://a.example"),
        ("wp:receiver.push.com#1", "FCM client receiver.push.com"),
        ("1:23:web:ab", "FCM client 1:23:web:ab"),
    ])
    func `a registration names who gets the pushes`(subtype: String, receiver: String) {
        let registration = Registration(client: 1, app: "org.chromium.linux", subtype: subtype, sender: "s")
        #expect(registration.receiver("t", host: "fcm.googleapis.com").map { "\($0.client) \($0.app)" } == receiver)
        #expect(
            registration.receiver("t", host: "fcm.googleapis.com")?.endpoint == "https://fcm.googleapis.com/fcm/send/t")
    }

    @Test func `a client subscribes to a topic with the token of its registration`() throws {
        var fixture = try Fixture()
        let form = "app=org.chromium.linux&device=1&sender=F:1&X-subtype=F:1&X-gcm.topic=/topics/news"
        #expect(fixture.register(form) == "200 token=F:1")
        _ = fixture.register(form + "&delete=1")
        #expect(Self.words(fixture.real.takeNews()) == ["news true F:1", "news false F:1"])
    }

    @Test func `Chromium's own service is no receiver`() throws {
        var fixture = try Fixture()
        #expect(fixture.register("app=com.google.android.gms&device=1&sender=745476177629").hasPrefix("200 token="))
        #expect(fixture.real.takeNews().isEmpty)
    }
}

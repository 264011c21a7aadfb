import HTTPCore
import PushCore
import Testing

@testable import Receivers

/// Checkin and registration.
struct RegisteringTests {
    private typealias Fixture = ReceiverFixture

    @Test func `a client keeps its id, and an unknown one gets another`() throws {
        var fixture = try Fixture()
        #expect(fixture.id.android > 0 && fixture.id.token > 0 && fixture.id.android < 1 << 63)
        func checkin(_ id: ReceiverID) -> [UInt8] {
            var body = ProtoWriter()
            body.number(2, id.android)
            body.fixed(13, id.token)
            return body.bytes
        }
        let again = fixture.checkIn(checkin(fixture.id))
        #expect(again == fixture.id)
        let other = ReceiverID(android: fixture.id.android, token: 5)
        let made = fixture.checkIn(checkin(other))
        #expect(made != nil && made != fixture.id && made != other)
        // Chromium would try again without a pause if its checkin were refused.
        let damaged = fixture.book.checkIn(Fixture.request("/checkin", [0x0A]), at: Fixture.now)
        #expect(damaged.status == 200 && fixture.book.clients.count == 3)
    }

    @Test(arguments: [(UInt64(1), "fcm.googleapis.com"), (2, "jmt17.google.com"), (5, "jmt17.google.com")])
    func `the endpoints of a client have the host that its build has`(channel: UInt64, host: String) throws {
        var fixture = try Fixture()
        var body = ProtoWriter()
        body.message(4) { details in details.message(13) { $0.number(3, channel) } }
        let checkedIn = fixture.checkIn(body.bytes)
        let id = try #require(checkedIn)
        _ = fixture.register(
            "app=org.chromium.linux&X-subtype=wp:https://a/%23A-V2&device=1&sender=1",
            as: "AidLogin \(id.android):\(id.token)")
        let subscribed = fixture.real.takeNews().compactMap { news in
            if case .subscribed(let receiver) = news { receiver.endpoint } else { nil }
        }
        #expect(subscribed.count == 1 && subscribed[0].hasPrefix("https://\(host)/fcm/send/"))
    }

    @Test func `when there is no room, the client that is missed the least is forgotten`() throws {
        var fixture = try Fixture()
        let token = try fixture.subscribe()
        for _ in 1..<ReceiverBook.mostClients {
            _ = fixture.checkIn()
        }
        #expect(fixture.book.clients.count == ReceiverBook.mostClients)
        let session = ClientID(slot: 9, generation: 1)
        let second = try #require(fixture.book.clients.first { $0.key != fixture.id.android }?.key)
        fixture.book.clients[second]?.session = session
        let checkedIn = fixture.checkIn()
        let newest = try #require(checkedIn)
        #expect(fixture.book.clients[second]?.session == session)
        // It has no registration, unlike the oldest one.
        #expect(fixture.book.knows(fixture.id) && fixture.book.knows(token: token) && fixture.book.knows(newest))
        #expect(fixture.book.clients.count == ReceiverBook.mostClients)
    }

    @Test func `the same page gets the same token, and another page another`() throws {
        var fixture = try Fixture()
        let token = try fixture.subscribe()
        #expect(try fixture.subscribe() == token && fixture.subscribe("other") != token)
        #expect(token.utf8.count == 152 && token.contains(":APA91b"))
    }

    @Test func `errors are those of Google's`() throws {
        var fixture = try Fixture()
        let form = "app=a&sender=1&device=1"
        for login in [
            "", "AidLogin 1:2", "AidLogin \(fixture.id.android)", "Bearer x", "AidLogin \(fixture.id.android):1",
        ] {
            #expect(fixture.register(form, as: login) == "401 Error=AUTHENTICATION_FAILED", "\(login)")
        }
        for form in [
            "", "app=a&device=1", "sender=1&device=1", "app=a&sender=1", "app=&sender=1&device=1",
            "\(form)&x=\(String(repeating: "y", count: 2000))", "\(form)&X-gcm.topic=/topics/a b",
            "\(form)&X-subtype=%23abc", "\(form)&X-subtype=wp:%23", "\(form)&X-subtype=wp:https://a%0A/%23A",
            "\(form)&X-subtype=%1B[31m", "\(form)&X-subtype=a%20b",
        ] {
            #expect(fixture.register(form) == "200 Error=INVALID_PARAMETERS", "\(form.prefix(60))")
        }
        for sender in [
            "s", "*", "12-3", "123456789012345678901", Base64URL.encode([3] + [UInt8](repeating: 7, count: 64)),
        ] {
            #expect(fixture.register("app=a&device=1&sender=\(sender)") == "200 Error=INVALID_SENDER", "\(sender)")
        }
    }

    @Test func `only an FCM token can be subscribed to a topic`() throws {
        var fixture = try Fixture()
        let login = [("authorization", "AidLogin \(fixture.id.android):\(fixture.id.token)")]
        func text(_ sender: String, isOfFCM: Bool) -> String {
            let form = "app=a&device=1&X-gcm.topic=/topics/news&sender=\(sender)"
            let request = Fixture.request("/c2dm/register3", Array(form.utf8), login)
            guard case .bytes(let bytes) = fixture.book.register(request, isOfFCM: { _ in isOfFCM }).body else {
                return ""
            }
            return String(decoding: bytes, as: UTF8.self)
        }
        #expect(text("a:APA91b", isOfFCM: true) == "token=a")
        #expect(text("a:APA91b", isOfFCM: false) == "Error=INVALID_PARAMETERS")
    }

    @Test func `after a deletion the token is gone for senders`() throws {
        var fixture = try Fixture()
        let (token, other) = (try fixture.subscribe(), try fixture.subscribe("other"))
        let subtype = "wp:https://page/%23A-V2"
        let answer = fixture.register(
            "app=org.chromium.linux&X-subtype=\(subtype)&device=1&delete=true&sender=*&scope=*")
        #expect(answer == "200 token=wp:https://page/#A-V2")
        #expect(fixture.push(token).response.status == 410 && fixture.push(other).response.status == 201)
        #expect(fixture.push("unknown").response.status == 404)
        #expect(fixture.register("app=b&device=1&sender=*&delete=1") == "200 token=b")
    }

    @Test func `a client has a limited number of tokens`() throws {
        var fixture = try Fixture()
        for number in 0..<ReceiverBook.mostRegistrations { _ = try fixture.subscribe("page\(number)") }
        #expect(fixture.register("app=a&sender=1&device=1") == "200 Error=TOO_MANY_REGISTRATIONS")
    }
}

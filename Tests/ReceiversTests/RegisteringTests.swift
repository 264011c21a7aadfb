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
        #expect(fixture.book.checkIn(fixture.id) == fixture.id)
        let other = ReceiverID(android: fixture.id.android, token: 5)
        let made = fixture.book.checkIn(other)
        #expect(made != nil && made != fixture.id && made != other)
        let damaged = fixture.book.checkIn(Fixture.request("/checkin", [0x0A]), at: Fixture.now)
        #expect(damaged.status == 400)
    }

    @Test func `the same page gets the same token, and another page another`() throws {
        var fixture = try Fixture()
        let token = try fixture.subscribe()
        #expect(try fixture.subscribe() == token && fixture.subscribe("other") != token)
        #expect(token.utf8.count == 152 && token.contains(":APA91b"))
    }

    @Test func `errors are those of Google's`() throws {
        var fixture = try Fixture()
        let form = "app=a&sender=s&device=1"
        for login in [
            "", "AidLogin 1:2", "AidLogin \(fixture.id.android)", "Bearer x", "AidLogin \(fixture.id.android):1",
        ] {
            #expect(fixture.register(form, as: login) == "401 Error=AUTHENTICATION_FAILED", "\(login)")
        }
        for form in [
            "", "app=a&device=1", "sender=s&device=1", "app=a&sender=s", "app=&sender=s&device=1",
            "\(form)&x=\(String(repeating: "y", count: 2000))",
        ] {
            #expect(fixture.register(form) == "200 Error=INVALID_PARAMETERS", "\(form.prefix(60))")
        }
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
        #expect(fixture.register("app=a&sender=s&device=1") == "200 Error=TOO_MANY_REGISTRATIONS")
    }
}

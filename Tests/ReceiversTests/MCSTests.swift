import HTTPCore
import PushCore
import Testing

@testable import Receivers

/// A client's connection over MCS.
struct MCSTests {
    private typealias Fixture = ReceiverFixture

    @Test func `a client logs in, byte by byte too`() throws {
        var one = try Fixture()
        #expect(try one.receive(one.login()) == ["login"])
        var slow = try Fixture()
        var frames: [String] = []
        for byte in slow.login() { frames += try slow.receive([byte]) }
        #expect(frames == ["login"] && slow.session.client == slow.id.android)
    }

    @Test func `a wrong id or token is refused, and so is a login without them`() throws {
        var fixture = try Fixture()
        let wrong = ReceiverID(android: fixture.id.android, token: 1)
        #expect(throws: MCSProblem.refusedLogin) { _ = try fixture.receive(fixture.login(wrong)) }
        #expect(try fixture.takeOutput() == ["refused"])
        var empty = try Fixture()
        #expect(throws: MCSProblem.refusedLogin) { _ = try empty.receive([41] + Fixture.frame(.loginRequest)) }
    }

    @Test func `a push is delivered at once, and until it is acknowledged after each login`() throws {
        var fixture = try Fixture()
        let token = try fixture.subscribe()
        _ = try fixture.receive(fixture.login())
        #expect(fixture.push(token, "one").response.status == 201)
        #expect(fixture.real.takeWoken() == [Fixture.first] && fixture.real.takeWoken().isEmpty)
        #expect(try fixture.takeOutput() == ["push one"])
        fixture.session = MCSSession()
        #expect(try fixture.receive(fixture.login()) == ["login", "push one"])
        // The login's answer is the first frame, the push the second.
        #expect(try fixture.receive(Fixture.frame(.heartbeatPing) { $0.number(2, 1) }) == ["pong 2"])
        fixture.session = MCSSession()
        #expect(try fixture.receive(fixture.login()) == ["login", "push one"])
        #expect(try fixture.receive(Fixture.frame(.heartbeatPing) { $0.number(2, 2) }) == ["pong 2"])
        fixture.session = MCSSession()
        #expect(try fixture.receive(fixture.login()) == ["login"])
    }

    @Test func `pushes are acknowledged by their ids, in a login or a frame`() throws {
        var fixture = try Fixture()
        let token = try fixture.subscribe()
        for text in ["one", "two", "three"] { _ = fixture.push(token, text) }
        let ids = fixture.book.clients[fixture.id.android]?.queue.pushes.map(\.id) ?? []
        #expect(Set(ids).count == 3)
        // The client wants to know that its list has arrived.
        #expect(
            try fixture.receive(fixture.login(received: [ids[0], "unknown"])) == [
                "login", "ack 1", "push two", "push three",
            ])
        let selective = Fixture.frame(.iq) { iq in
            iq.number(2, 1)
            iq.message(7) { part in
                part.number(1, 12)
                part.message(2) { $0.text(1, ids[1]) }
            }
        }
        #expect(try fixture.receive(selective) == [])
        #expect(fixture.book.clients[fixture.id.android]?.queue.pushes.map(\.id) == [ids[2]])
        let stream = Fixture.frame(.iq) { iq in
            iq.message(7) { $0.number(1, 13) }
            iq.number(10, 4)
        }
        #expect(try fixture.receive(stream) == ["ack 3"])
        #expect(fixture.book.clients[fixture.id.android]?.queue.isEmpty == true)
    }

    static let bad: [(bytes: [UInt8], problem: MCSProblem)] = [
        ([40], .version(40)), ([41, 5], .unknownTag(5)), ([41, 255], .unknownTag(255)),
        ([41, 0, 0], .unexpected(0)), ([41, 3, 0], .unexpected(3)), ([41, 2, 2, 0x0A, 9], .damagedMessage),
        ([41, 2, 0x81, 0x80, 0x10], .tooLong),
        ([41, 2] + [UInt8](repeating: 0xFF, count: 6), .tooLong), ([41, 2, 0x80, 0x80, 0x80], .tooLong),
    ]

    @Test(arguments: bad.indices) func `a bad frame ends the connection`(_ index: Int) throws {
        var fixture = try Fixture()
        #expect(throws: Self.bad[index].problem) { _ = try fixture.receive(Self.bad[index].bytes) }
    }

    @Test func `a second login ends the connection, and so does Close`() throws {
        var fixture = try Fixture()
        _ = try fixture.receive(fixture.login())
        #expect(throws: MCSProblem.unexpected(2)) { _ = try fixture.receive(Array(fixture.login().dropFirst())) }
        var other = try Fixture()
        _ = try other.receive(other.login())
        #expect(throws: MCSProblem.closedByClient) { _ = try other.receive(Fixture.frame(.close)) }
    }

    @Test func `a client that does not read gets no more pushes, and is not read`() throws {
        var fixture = try Fixture()
        let token = try fixture.subscribe()
        for _ in 1...PushQueue.most { _ = fixture.push(token, String(repeating: "x", count: 4096)) }
        try fixture.handle(fixture.login())
        var hasDelivered = fixture.deliver()
        #expect(hasDelivered && fixture.session.isFull)
        let waiting = fixture.book.clients[fixture.id.android]?.queue.pushes.filter { !$0.isSentOnThisConnection }
        #expect(waiting.map { $0.count > PushQueue.most / 2 } == true)
        var output: [UInt8] = []
        fixture.session.drain(into: &output, upTo: 5000)
        hasDelivered = fixture.deliver()
        #expect(output.count == 5000 && hasDelivered)
    }

    @Test func `the older connection of a client ends, and its frames count no more`() throws {
        var fixture = try Fixture()
        let token = try fixture.subscribe()
        _ = try fixture.receive(fixture.login())
        var newer = MCSSession()
        newer.append(fixture.login().span)
        while try newer.handleNext(&fixture.real.google, ClientID(slot: 2, generation: 0), at: Fixture.now) {}
        #expect(fixture.real.takeConnectionsToClose() == [Fixture.first])
        _ = fixture.push(token)
        #expect(throws: MCSProblem.replaced) {
            _ = try fixture.receive(Fixture.frame(.heartbeatPing) { $0.number(2, 9) })
        }
        #expect(fixture.book.clients[fixture.id.android]?.queue.pushes.count == 1)
    }

    @Test func `a connection that ends does not disconnect a newer one`() throws {
        var fixture = try Fixture()
        let newer = ClientID(slot: 2, generation: 0)
        _ = try fixture.receive(fixture.login())
        fixture.session = MCSSession()
        _ = try fixture.receive(fixture.login(), as: newer)
        fixture.book.disconnect(fixture.id.android, Fixture.first)
        #expect(fixture.book.clients[fixture.id.android]?.session == newer)
        fixture.book.disconnect(fixture.id.android, newer)
        #expect(fixture.book.clients[fixture.id.android]?.session == nil)
    }

    @Test func `a client gets heartbeats if it has asked for them`() throws {
        var fixture = try Fixture()
        func sent(after interval: UInt64?, _ silences: [(now: UInt64, idle: UInt64)]) throws -> [Bool] {
            fixture.session = MCSSession()
            _ = try fixture.receive(fixture.login(heartbeat: interval))
            return silences.map { fixture.session.sendHeartbeat(at: $0.now, idle: $0.idle) }
        }
        #expect(try sent(after: nil, [(1_000_000, 1_000_000)]) == [false])
        // One is enough until the client answers, or as much time again has passed.
        let silences: [(now: UInt64, idle: UInt64)] = [
            (50_000, 9999), (50_000, 10_000), (50_500, 10_500), (60_000, 20_000),
        ]
        #expect(try sent(after: 10_000, silences) == [false, true, false, true])
        #expect(try fixture.takeOutput() == ["ping 1", "ping 1"])
        #expect(try sent(after: 0, [(70_000, 999), (71_000, 1000)]) == [false, true])
    }
}

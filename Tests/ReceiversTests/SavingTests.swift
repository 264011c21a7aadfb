import HTTPCore
import PushCore
import Testing

@testable import Receivers

/// What is saved of real receivers, and restored after a restart.
@Suite struct SavingTests {
    private typealias Fixture = ReceiverFixture

    /// What a new gateway has after it has read the records of an old one.
    private static func restarted(_ real: inout RealReceivers) throws -> RealReceivers {
        _ = real.takeNews()
        let records = real.takeUnsaved().compactMap { key in real.bytes(ofRecord: key).map { (key: key, bytes: $0) } }
        var restored = RealReceivers(seed: 1, isPoint: { _ in true })
        try restored.restore(records)
        return restored
    }

    @Test func `a browser keeps its registrations and waiting pushes`() throws {
        var fixture = try Fixture()
        fixture.real.isCollecting = true
        fixture.book.log.note(.client, "\(fixture.id.android)")
        let (token, other) = (try fixture.subscribe(), try fixture.subscribe("other"))
        for text in ["one", "two"] { _ = fixture.push(token, text) }
        fixture.book.end(other)
        fixture.real = try Self.restarted(&fixture.real)
        #expect(fixture.push(other).response.status == 410 && fixture.push("x").response.status == 404)
        #expect(fixture.push(token, "three").response.status == 201)
        #expect(try fixture.receive(fixture.login()) == ["login", "push one", "push two", "push three"])
        #expect(try fixture.subscribe() == token)
        // A new client does not get an id that was given before the restart.
        let made = fixture.checkIn()
        #expect(made?.android != fixture.id.android)
    }

    @Test func `what was acknowledged before the restart does not come again`() throws {
        var fixture = try Fixture()
        fixture.real.isCollecting = true
        fixture.book.log.note(.client, "\(fixture.id.android)")
        let token = try fixture.subscribe()
        _ = fixture.push(token, "one")
        _ = try fixture.receive(fixture.login())
        _ = try fixture.receive(Fixture.frame(.heartbeatPing) { $0.number(2, 2) })
        fixture.real = try Self.restarted(&fixture.real)
        fixture.session = MCSSession()
        #expect(try fixture.receive(fixture.login()) == ["login"])
    }

    @Test func `the end of a simulated browser's subscription is saved at once`() {
        var real = RealReceivers(seed: 1, isPoint: { _ in true })
        real.isCollecting = true
        real.noteEnd(of: "t")
        #expect(real.changeCount == 1 && real.takeUnsaved() == ["ended t"])
    }

    @Test func `a client of Mozilla's service keeps its subscription and waiting push`() throws {
        var real = RealReceivers(seed: 1, isPoint: { _ in true })
        real.isCollecting = true
        let id = real.mozilla.connect(nil, Fixture.first) ?? ""
        let endpoint = real.mozilla.subscribe("c", of: id, key: nil, base: "") ?? ""
        let token = String(endpoint.split(separator: "/").last ?? "")
        real.mozilla.disconnect(id, Fixture.first)
        let push = WaitingPush(
            push: PushID(7), token: token, encoding: .none, body: [1], lifetime: 60, topic: nil, sent: Fixture.now)
        let version = real.add(push)
        var restored = try Self.restarted(&real)
        #expect(restored.endpoint(token, .mozilla) == .open(key: nil))
        let connected = restored.mozilla.connect(id, Fixture.first)
        #expect(connected == id)
        let found = restored.mozilla.nextMessage(for: id, at: Fixture.now)
        let next = try #require(found)
        #expect(next.push.id == version && next.channel == "c" && next.push.push == PushID(7))
        restored.mozilla.unsubscribe("c", of: id)
        #expect(restored.endpoint(token, .mozilla) == .ended)
    }

    static let damaged: [(key: String, bytes: [UInt8])] = [
        ("", []), ("other 1", []), ("client x", [1, 0]), ("client 5", []), ("client 5", [1, 0, 9]),
        ("registration t", [1]), ("push 5", []), ("push 5/x", [0]), ("firebase a", [1, 0x62, 0, 0, 0, 0]),
    ]

    @Test(arguments: damaged.indices) func `a damaged record is named`(_ index: Int) {
        var real = RealReceivers(seed: 1, isPoint: { _ in true })
        #expect(throws: RealReceivers.DamagedRecord.self) { try real.restore([Self.damaged[index]]) }
    }
}

import EventLoop
import PushpitTesting
import Testing

@testable import Gateway

/// Connections through the proxy to hosts that Pushpit does not imitate.
@Suite struct RelayTests {
    /// The other machine.
    private final class Peer: RelayTransport {
        var owner: (any TCPStreamOwner)?
        var sent: [UInt8] = []
        var pendingBytes = 0
        var isRead = false
        var hasEnded = false
        var isClosed = false

        func write(_ bytes: Span<UInt8>) { for index in bytes.indices { sent.append(bytes[index]) } }
        func startReading() { isRead = true }
        func stopReading() { isRead = false }
        func endWriting() { hasEnded = true }
        func close() { (isClosed, owner) = (true, nil) }
        func reset() { close() }
        func say(_ bytes: [UInt8]) { owner?.received(bytes.span) }
        var text: String { String(decoding: sent, as: UTF8.self) }
    }

    /// A gateway whose proxy passes connections on, and a client that has asked for one.
    private final class Setting {
        let gateway = TestGateway(TestConfiguration())
        let client: TestConnection
        let peer = Peer()
        let dialed: Dialed

        final class Dialed {
            var addresses: [String] = []
            var answers: [(Result<any RelayTransport, Relays.DialFailure>) -> Void] = []
        }

        init(_ rest: String = "") throws {
            let dialed = Dialed()
            self.dialed = dialed
            gateway.embedded.gateway.relays.dial = { address, done in
                dialed.addresses.append(address)
                dialed.answers.append(done)
            }
            client = try gateway.connect(over: .http1)
            try client.write(Array("CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n\(rest)".utf8))
        }

        /// The answers hold the relays, which hold `dial`.
        deinit { dialed.answers = [] }

        var count: Int { gateway.embedded.gateway.relays.count }

        func connect() { dialed.answers.first?(.success(peer)) }
        func text() throws -> String { String(decoding: try client.read(), as: UTF8.self) }
    }

    private static let established = "HTTP/1.1 200 Connection established\r\n\r\n"

    @Test func `bytes pass in both directions, also bytes that came with the CONNECT`() throws {
        let setting = try Setting("hello ")
        #expect(setting.dialed.addresses == ["example.com:443"])
        try #expect(setting.text() == "")
        try setting.client.write(Array("you".utf8))
        setting.connect()
        try #expect(setting.text() == Self.established)
        #expect(setting.peer.text == "hello you" && setting.peer.isRead)
        setting.peer.say(Array("back".utf8))
        try #expect(setting.text() == "back")
        setting.peer.owner?.peerEnded()
        try #expect(setting.client.isEnded())
        #expect(setting.peer.isClosed && setting.count == 0)
    }

    @Test func `when the client ends, the other machine may still answer`() throws {
        let setting = try Setting()
        setting.connect()
        try setting.client.write(Array("request".utf8))
        try setting.client.endWriting()
        #expect(setting.peer.text == "request" && setting.peer.hasEnded && !setting.peer.isClosed)
        setting.peer.say(Array("answer".utf8))
        setting.peer.owner?.peerEnded()
        try #expect(setting.text() == Self.established + "answer")
        try #expect(setting.client.isEnded())
        #expect(setting.count == 0)
    }

    @Test func `a client that has ended and reads slowly gets everything`() throws {
        let setting = try Setting()
        setting.connect()
        try setting.client.endWriting()
        setting.client.isReading = false
        for _ in 0..<40 where setting.peer.isRead { setting.peer.say(Array(repeating: 2, count: 65_536)) }
        setting.peer.owner?.peerEnded()
        // The end of the client is reported again when its socket is read again.
        setting.gateway.embedded.gateway.connections.all.first?.peerEnded()
        setting.client.isReading = true
        var received = 0
        for _ in 0..<100 { received += try setting.client.read().count }
        #expect(received > 1 << 20 && (received - Self.established.utf8.count) % 65_536 == 0)
        try #expect(setting.client.isEnded())
    }

    @Test func `a host without a connection is answered 502, with the reason`() throws {
        let setting = try Setting()
        setting.dialed.answers[0](.failure(Relays.DialFailure(reason: "it has no address")))
        let text = try setting.text()
        #expect(text.hasPrefix("HTTP/1.1 502 Bad Gateway\r\n"))
        #expect(text.hasSuffix("\r\n\r\nPushpit has no connection to example.com:443: it has no address.\n"))
        try #expect(setting.client.isEnded())
        #expect(setting.count == 0)
    }

    @Test func `a host that does not answer in time is answered 504`() throws {
        let setting = try Setting()
        setting.gateway.advanceLoopTime(.seconds(11))
        try #expect(setting.text().hasPrefix("HTTP/1.1 504 Gateway Timeout\r\n"))
        #expect(setting.count == 1, "the attempt goes on")
        setting.connect()
        #expect(setting.peer.isClosed && setting.count == 0)
    }

    @Test func `a client that goes before the connection is made leaves nothing behind`() throws {
        let setting = try Setting()
        setting.client.close()
        #expect(setting.count == 1)
        setting.connect()
        #expect(setting.peer.isClosed && setting.count == 0)
    }

    @Test func `a machine that does not read stops the client, and the other way round`() throws {
        let setting = try Setting()
        setting.connect()
        setting.peer.pendingBytes = 300_000
        try setting.client.write(Array(repeating: 1, count: 100_000))
        #expect(setting.peer.sent.isEmpty && setting.client.isReadByGateway == false)
        setting.peer.pendingBytes = 0
        setting.peer.owner?.drained()
        try setting.client.write([])
        #expect(setting.peer.sent.count == 100_000 && setting.client.isReadByGateway == true)

        setting.client.isReading = false
        for _ in 0..<40 where setting.peer.isRead { setting.peer.say(Array(repeating: 2, count: 65_536)) }
        #expect(!setting.peer.isRead)
        setting.client.isReading = true
        var received = 0
        for _ in 0..<100 { received += try setting.client.read().count }
        #expect(received > 1 << 20 && setting.peer.isRead)
    }

    @Test func `a client may pause for longer than in the middle of a request`() throws {
        let setting = try Setting()
        setting.connect()
        setting.client.isReading = false
        setting.peer.say(Array(repeating: 2, count: 65_536))
        for _ in 0..<120 { setting.gateway.advanceLoopTime(.seconds(1)) }
        setting.client.isReading = true
        try #expect(setting.client.read().count == 65_536 + Self.established.utf8.count)
        #expect(!setting.peer.isClosed)
    }

    @Test func `an idle relay is closed after ten minutes`() throws {
        let setting = try Setting()
        setting.connect()
        for _ in 0..<599 { setting.gateway.advanceLoopTime(.seconds(1)) }
        #expect(!setting.peer.isClosed)
        for _ in 0..<3 { setting.gateway.advanceLoopTime(.seconds(1)) }
        #expect(setting.peer.isClosed && setting.count == 0)
    }

    @Test func `a relay beyond the limit is refused`() throws {
        let setting = try Setting()
        while setting.gateway.embedded.gateway.relays.take() {}
        let another = try setting.gateway.connect(over: .http1)
        try another.write(Array("CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n".utf8))
        try #expect(String(decoding: another.read(), as: UTF8.self).hasPrefix("HTTP/1.1 503 "))
        #expect(setting.count == 1000)
    }
}

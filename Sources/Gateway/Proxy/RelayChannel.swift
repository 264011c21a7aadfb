internal import EventLoop
internal import HTTP1
internal import HTTPCore
internal import Proxy

/// Forwards bytes unchanged between a client of the proxy and another machine.
final class RelayChannel: Channel {
    private unowned let connection: Connection
    private let target: RelayTarget
    private let relays: Relays
    /// The next proxy, if the connection goes through one.
    private let upstream: UpstreamProxy?
    private var state = State.dialing
    /// What the client gets next.
    private var output: [UInt8] = []

    private enum State {
        case dialing
        case open(any RelayTransport)
        /// The other machine has ended, or there is no connection to it. The client still gets the output.
        case ended
    }

    /// Bytes that wait for one side at which the other side is no longer read.
    private static let limit = 256 << 10
    /// Milliseconds without a byte in either direction after which a relay is closed.
    private static let idleLimit: UInt64 = 600_000

    init(_ connection: Connection, to target: RelayTarget) {
        self.connection = connection
        self.target = target
        relays = connection.gateway.relays
        upstream = relays.upstream(for: target)
    }

    /// Connects to the other machine, or to the next proxy. Call this once.
    func start() {
        guard let dial = relays.dial, relays.take() else {
            return fail(503, "The proxy has no room for another connection to a host that Pushpit does not imitate.")
        }
        dial(upstream?.address ?? target.description) { [self] result in
            guard case .dialing = state else {
                // The client has gone meanwhile.
                relays.giveBack()
                if case .success(let transport) = result { transport.close() }
                return
            }
            switch result {
            case .success(let transport): open(transport)
            case .failure(let failure):
                relays.giveBack()
                let subject = upstream.map { "the proxy \($0.address)" } ?? target.description
                fail(502, "Pushpit has no connection to \(subject): \(failure.reason).")
            }
            connection.flush()
            connection.resumeReading()
        }
    }

    private func open(_ transport: any RelayTransport) {
        state = .open(transport)
        transport.owner = RelayPeer(self)
        if let upstream {
            // The next proxy answers the client.
            transport.write(upstream.request(for: target).span)
        } else {
            output += "HTTP/1.1 200 Connection established\r\n\r\n".utf8
        }
        transport.startReading()
    }

    private func fail(_ status: Int, _ sentence: String) {
        state = .ended
        let body = "\(sentence)\n"
        let fields =
            "Content-Type: text/plain; charset=utf-8\r\nContent-Length: \(body.utf8.count)\r\nConnection: close"
        output += "HTTP/1.1 \(status) \(ReasonPhrase.of(status))\r\n\(fields)\r\n\r\n\(body)".utf8
    }

    func receive(_ bytes: Span<UInt8>) -> Int {
        switch state {
        case .dialing: return 0
        case .ended: return bytes.count
        case .open(let transport):
            if isFull { return 0 }
            transport.write(bytes)
            // What passes through is never abuse.
            connection.workBudget.earn(bodyLength: bytes.count, handledIn: .max)
            return bytes.count
        }
    }

    var isFull: Bool {
        switch state {
        case .dialing: true
        case .open(let transport): transport.pendingBytes >= Self.limit
        case .ended: false
        }
    }

    func drain(into output: inout [UInt8], upTo limit: Int) {
        let count = max(0, min(limit, self.output.count))
        output += self.output.prefix(count)
        self.output.removeFirst(count)
        if case .open(let transport) = state, self.output.count < Self.limit / 2 { transport.startReading() }
    }

    var isFinished: Bool {
        if case .ended = state { output.isEmpty } else { false }
    }

    func peerEnded() -> PeerEndReaction {
        switch state {
        case .dialing: return .close
        case .open(let transport):
            transport.endWriting()
            return .stayOpen
        // The client may still read the rest of the output.
        case .ended: return output.isEmpty ? .endGracefully : .stayOpen
        }
    }

    func sweep(at now: UInt64, idle: UInt64) -> SweepReaction {
        guard case .dialing = state, now - connection.opened > connection.gateway.configuration.headTimeout else {
            return idle > Self.idleLimit ? .close : .nothing
        }
        // `start` gives the place back when the attempt has ended.
        fail(504, "There was no answer from \(target).")
        return .flush
    }

    func endForAbuse(_ reason: String) { end() }
    func shutDown() { end() }

    func detach() {
        output = []
        end()
    }

    /// Ends the connection to the other machine.
    private func end() {
        if case .open(let transport) = state {
            transport.close()
            relays.giveBack()
        }
        state = .ended
    }
}

/// What the other machine does. `RelayPeer` calls these.
extension RelayChannel {
    func received(_ bytes: Span<UInt8>) {
        guard case .open(let transport) = state else { return }
        output.append(addingCapacity: bytes.count) { $0.append(bytes) }
        if output.count >= Self.limit { transport.stopReading() }
        connection.lastActivity = connection.gateway.loopNow
        connection.flush()
    }

    func otherMachineEnded() {
        guard case .open = state else { return }
        end()
        connection.flush()
    }

    func sentAllToOtherMachine() {
        guard case .open = state else { return }
        connection.flush()
        connection.resumeReading()
    }
}

/// Forwards the events of the socket that connects to the other machine.
final class RelayPeer: TCPStreamOwner {
    /// The channel closes the socket, which releases this object, before the channel is released.
    private unowned let channel: RelayChannel

    init(_ channel: RelayChannel) { self.channel = channel }

    var readQueue: ReadQueue { .usual }
    func received(_ bytes: Span<UInt8>) { channel.received(bytes) }
    func peerEnded() { channel.otherMachineEnded() }
    func peerClosed() { channel.otherMachineEnded() }
    func drained() { channel.sentAllToOtherMachine() }
}

import EventLoop
import Testing

/// Which streams are read when there is not enough time for all.
@Suite struct WaitingStreamsTests {
    /// Streams of one loop with clients that send from time to time, and the order in which the streams are read.
    private final class Peers {
        let loop: EventLoop
        private let listener: TCPListener
        private(set) var clients: [LoopbackPeer] = []
        private(set) var streams: [TCPStream] = []
        private(set) var owners: [Owner] = []
        /// The numbers of the streams, in the order in which they were read.
        var reads: [Int] = []
        /// How many reads there is time for in a turn.
        var readsPerTurn = 1
        private var readsInTurn = 0

        final class Owner: TCPStreamOwner {
            var readQueue = ReadQueue.usual
            let received: () -> Void
            private(set) var events: [String] = []

            init(_ received: @escaping () -> Void) { self.received = received }
            func received(_ bytes: Span<UInt8>) { received() }
            func peerEnded() { events.append("ended") }
            func peerClosed() { events.append("closed") }
            func drained() {}
        }

        init(_ count: Int) throws {
            loop = try EventLoop()
            listener = try TCPListener(on: loop, at: SocketAddress(host: "127.0.0.1", port: 0))
            clients = try (0..<count).map { _ in try LoopbackPeer(port: listener.address.port) }
            listener.accepted = { [unowned self] stream in
                let number = streams.count
                let owner = Owner { [unowned self] in
                    reads.append(number)
                    readsInTurn += 1
                }
                stream.owner = owner
                streams.append(stream)
                owners.append(owner)
            }
            for _ in 0..<100 where streams.count < count { loop.runOnce() }
            loop.takesInput = { [unowned self] in readsInTurn < readsPerTurn }
            loop.turnEnded = { [unowned self] in readsInTurn = 0 }
            for stream in streams { stream.startReading() }
        }

        func takeTurns(_ count: Int) { for _ in 0..<count { loop.runOnce() } }

        func close() -> Bool {
            for stream in streams { stream.close() }
            listener.close()
            return loop.close()
        }
    }

    @Test func `with time for one stream in a turn, all are read in turn`() throws {
        let peers = try Peers(4)
        for _ in 0..<10 {
            for client in peers.clients { client.send("x") }
            peers.takeTurns(5)
        }
        for number in 0..<4 {
            let count = peers.reads.count { $0 == number }
            #expect(count >= 10, "stream \(number) was read \(count) times: \(peers.reads)")
        }
        #expect(peers.close())
    }

    @Test func `a stream that always has data does not hold up another one`() throws {
        let peers = try Peers(2)
        for _ in 0..<20 {
            peers.clients[0].send(String(repeating: "a", count: 100_000))
            peers.clients[1].send("b")
            peers.takeTurns(4)
        }
        #expect(peers.reads.count { $0 == 1 } >= 15, "\(peers.reads)")
        #expect(peers.close())
    }

    @Test func `new streams and others are read alternately`() throws {
        let peers = try Peers(20)
        for owner in peers.owners.dropLast(2) { owner.readQueue = .new }
        peers.readsPerTurn = 0
        for client in peers.clients { client.send("x") }
        peers.takeTurns(3)
        #expect(peers.reads.isEmpty)
        peers.readsPerTurn = 1
        peers.takeTurns(5)
        #expect(peers.reads.prefix(4).contains(18) && peers.reads.prefix(4).contains(19), "\(peers.reads)")
        #expect(peers.close())
    }

    @Test func `costly streams are read after the others`() throws {
        let peers = try Peers(12)
        for owner in peers.owners.dropLast(2) { owner.readQueue = .costly }
        peers.readsPerTurn = 0
        for client in peers.clients { client.send("x") }
        peers.takeTurns(3)
        peers.readsPerTurn = 1
        peers.takeTurns(13)
        #expect(peers.reads.prefix(2).sorted() == [10, 11] && Set(peers.reads).count == 12, "\(peers.reads)")
        #expect(peers.close())
    }

    @Test func `new and costly streams take turns`() throws {
        let peers = try Peers(12)
        for (number, owner) in peers.owners.enumerated() { owner.readQueue = number < 6 ? .costly : .new }
        peers.readsPerTurn = 0
        for client in peers.clients { client.send("x") }
        peers.takeTurns(3)
        peers.readsPerTurn = 1
        peers.takeTurns(4)
        #expect(peers.reads.count { $0 < 6 } == 2 && peers.reads.count == 4, "\(peers.reads)")
        #expect(peers.close())
    }

    @Test func `new and costly streams are read although usual ones always wait`() throws {
        let peers = try Peers(30)
        peers.owners[0].readQueue = .costly
        peers.owners[1].readQueue = .new
        peers.readsPerTurn = 0
        for client in peers.clients { client.send("x") }
        peers.takeTurns(3)
        peers.readsPerTurn = 14
        for _ in 0..<6 {
            peers.takeTurns(1)
            for client in peers.clients.dropFirst(2) { client.send("x") }
        }
        #expect(peers.reads.count == 6 * 14 && Set(peers.reads).isSuperset(of: [0, 1]), "\(peers.reads)")
        #expect(peers.close())
    }

    @Test func `a stream that is stopped while it waits is not read until it starts again`() throws {
        let peers = try Peers(1)
        peers.readsPerTurn = 0
        peers.clients[0].send("x")
        peers.takeTurns(2)
        peers.streams[0].stopReading()
        peers.readsPerTurn = 1
        peers.takeTurns(3)
        #expect(peers.reads.isEmpty)
        peers.streams[0].startReading()
        peers.takeTurns(3)
        #expect(peers.reads == [0])
        #expect(peers.close())
    }

    @Test func `a stream that starts again while it is in line is read once`() throws {
        let peers = try Peers(1)
        peers.readsPerTurn = 0
        peers.clients[0].send("x")
        peers.takeTurns(2)
        peers.streams[0].stopReading()
        peers.streams[0].startReading()
        peers.readsPerTurn = 5
        peers.takeTurns(4)
        #expect(peers.reads == [0])
        #expect(peers.close())
    }

    @Test func `the end of a stream is reported after it has waited`() throws {
        let peers = try Peers(2)
        peers.readsPerTurn = 0
        peers.clients[0].send("x")
        peers.clients[0].endWriting()
        peers.clients[1].send("x")
        peers.takeTurns(2)
        peers.readsPerTurn = 5
        peers.takeTurns(4)
        #expect(peers.reads.sorted() == [0, 1])
        #expect(peers.owners[0].events == ["ended"] && peers.owners[1].events == [])
        #expect(peers.close())
    }

    @Test func `a stream that is closed while it waits is not read`() throws {
        let peers = try Peers(2)
        peers.readsPerTurn = 0
        for client in peers.clients { client.send("x") }
        peers.takeTurns(2)
        peers.streams[0].close()
        peers.readsPerTurn = 5
        peers.takeTurns(3)
        #expect(peers.reads == [1])
        #expect(peers.close())
    }
}

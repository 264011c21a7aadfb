import PushCore
import Testing

@testable import Receivers

/// Pushes that wait for a client or are not acknowledged.
@Suite struct QueueTests {
    private static let now = Timestamp(milliseconds: 1_790_000_000_000)

    private static func push(_ number: UInt64, lifetime: Int = 60, bytes: Int = 1) -> WaitingPush {
        WaitingPush(
            id: "\(number)", push: PushID(number), token: "t", encoding: .none,
            body: [UInt8](repeating: 1, count: bytes),
            lifetime: lifetime, topic: nil, sent: now)
    }

    private struct Sample {
        var queue = PushQueue()
        var log = ReceiverLog()

        mutating func add(_ numbers: ClosedRange<UInt64>, isConnected: Bool = true) -> Int {
            numbers.reduce(0) { sum, number in
                sum + queue.add(push(number), isConnected: isConnected, .dropsAll, owner: "o", &log).count
            }
        }

        mutating func sendAll(at time: Timestamp = now) -> Int {
            var count = 0
            while queue.next(inFrame: 1, owner: "o", at: time, &log) != nil { count += 1 }
            return count
        }

        var drops: Int {
            log.news.count { if case .push(_, _, .dropped) = $0 { true } else { false } }
        }
    }

    @Test func `what was sent does not count as waiting, also after a new connection`() {
        var sample = Sample()
        for start in [UInt64(1), 101] {
            #expect(sample.add(start...(start + 99)) == 0)
            #expect(sample.sendAll() == 100)
        }
        sample.queue.startAgain()
        #expect(sample.add(201...300, isConnected: false) == 0)
        #expect(sample.add(301...301, isConnected: false) == 100)
        #expect(sample.drops == 100 && sample.sendAll() == 201)
    }

    @Test func `a push that was sent is known to have been sent after it was saved`() throws {
        var sample = Sample()
        _ = sample.add(1...2)
        _ = sample.queue.next(inFrame: 1, owner: "o", at: Self.now, &sample.log)
        let restored = try sample.queue.pushes.map { try WaitingPush(saved: $0.savedBytes) }
        #expect(restored.map(\.wasEverSent) == [true, false] && restored.allSatisfy { !$0.isSentOnThisConnection })
        // Earlier versions did not save it.
        let old = Array(Self.push(1).savedBytes.dropLast())
        #expect(try WaitingPush(saved: old).wasEverSent == false)
    }

    @Test func `what was sent is not sent again when its time is over, and what waits is dropped`() {
        var sample = Sample()
        _ = sample.add(1...1)
        #expect(sample.sendAll() == 1)
        _ = sample.add(2...2)
        let end = Self.now + 60_000
        #expect(sample.queue.nextExpiry("t") == end + 1 && sample.queue.nextExpiry("other") == nil)
        sample.queue.dropExpired(owner: "o", at: end, &sample.log)
        #expect(sample.queue.pushes.count == 2)
        sample.queue.dropExpired(owner: "o", at: end + 1, &sample.log)
        #expect(sample.queue.pushes.map(\.id) == ["1"], "it may still be acknowledged")
        sample.queue.startAgain()
        #expect(sample.sendAll(at: end + 1) == 0)
        #expect(sample.queue.isEmpty && sample.drops == 1 && sample.log.waitingBytes == 0)
    }

    @Test func `clients that never acknowledge leave room for others`() throws {
        var real = RealReceivers(seed: 1, waitingByteCapacity: 20_000, isPoint: { _ in true })
        let clients: [UInt64] = [1, 2, 3]
        for client in clients {
            real.google.restore(ReceiverBook.Client(token: 1, host: "h"), client)
            real.google.restore(Registration(client: client, app: "a", subtype: "b", sender: "1"), "t\(client)")
        }
        func send(_ number: UInt64, to client: UInt64) {
            _ = real.add(
                WaitingPush(
                    push: PushID(number), token: "t\(client)", encoding: .none,
                    body: [UInt8](repeating: 1, count: 4000),
                    lifetime: 60, topic: nil, sent: Self.now))
        }
        for number in 1...4 { send(UInt64(number), to: UInt64(number) % 2 + 1) }
        for client in clients.prefix(2) {
            while real.google.nextMessage(for: client, as: 1, received: 0, at: Self.now) != nil {}
        }
        _ = real.takeNews()
        send(5, to: 3)
        // Nothing that waits is lost for what comes.
        for number in 6...9 { send(UInt64(number), to: 3) }
        let news = real.takeNews()
        #expect(real.google.clients[3]?.queue.pushes.map(\.push.number) == [5, 6, 7, 8])
        #expect(news.contains(.push(PushID(9), token: "t3", .dropped(.noRoom))), "\(news)")
        #expect(!news.contains(.push(PushID(5), token: "t3", .dropped(.noRoom))))
    }
}

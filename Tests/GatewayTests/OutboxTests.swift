import PushCore
import PushEngine
import PushpitTesting
import Routing
import Testing

@testable import Gateway

/// The small structures that the gateway is built from.
@Suite struct OutboxTests {
    private let sockets = (0..<4).map { ConnectionID(slot: UInt32($0), generation: 0) }

    private func drain(_ outbox: inout Outbox) -> [[Int]] {
        var found: [[Int]] = []
        while let (reader, range) = outbox.popFirst() {
            found.append([Int(reader.slot)] + outbox.bytes[range].map(Int.init))
        }
        return found
    }

    @Test func `frames come out in their order, each for its socket`() {
        var outbox = Outbox()
        for (index, socket) in sockets.enumerated() { outbox.append(for: socket, []) { $0.append(UInt8(index * 10)) } }
        #expect(outbox.count == 4)
        #expect(drain(&outbox) == [[0, 0], [1, 10], [2, 20], [3, 30]])
        #expect(outbox.isEmpty)
    }

    @Test func `frames in a row for one socket are one piece`() {
        var outbox = Outbox()
        for byte in [1, 2, 3] as [UInt8] { outbox.append(for: sockets[0], []) { $0.append(byte) } }
        outbox.append(for: sockets[1], []) { $0.append(4) }
        outbox.append(for: sockets[0], []) { $0.append(5) }
        #expect(drain(&outbox) == [[0, 1, 2, 3], [1, 4], [0, 5]])
    }

    @Test func `a frame for several sockets is written once`() {
        var outbox = Outbox()
        var count = 0
        outbox.append(for: sockets[0], sockets[1...2]) {
            $0.append(7)
            count += 1
        }
        // Not joined with a frame for one socket alone, before or after it.
        outbox.append(for: sockets[2], []) { $0.append(8) }
        #expect(drain(&outbox) == [[0, 7], [1, 7], [2, 7], [2, 8]])
        #expect(count == 1)
    }

    @Test func `a piece stays below 64 KiB unless one frame is longer`() {
        var outbox = Outbox()
        for _ in 0..<3 { outbox.append(for: sockets[0], []) { $0 += Array(repeating: 0, count: 30_000) } }
        outbox.append(for: sockets[0], []) { $0 += Array(repeating: 0, count: 100_000) }
        #expect(drain(&outbox).map { $0.count - 1 } == [60_000, 30_000, 100_000])
    }

    @Test func `a frame is not added to a piece that has been taken`() {
        var outbox = Outbox()
        outbox.append(for: sockets[0], []) { $0.append(1) }
        _ = outbox.popFirst()
        outbox.append(for: sockets[0], []) { $0.append(2) }
        #expect(outbox.count == 1)
        #expect(drain(&outbox) == [[0, 2]])
    }

    @Test func `a cleared outbox can be filled again from the start`() {
        var outbox = Outbox()
        outbox.append(for: sockets[0], []) { $0 += [1, 2] }
        _ = outbox.popFirst()
        outbox.clear()
        #expect(outbox.bytes.isEmpty)
        outbox.append(for: sockets[1], []) { $0.append(3) }
        #expect(drain(&outbox) == [[1, 3]])
    }
}

@Suite struct QueueTests {
    @Test func `elements come out in the order in which they went in`() {
        var queue = Queue<Int>()
        #expect(queue.popFirst() == nil)
        var next = 0
        // More goes in than comes out, then the other way round: the moved elements keep their order.
        for number in 0..<5000 {
            queue.append(number)
            if number % 2 == 0 {
                #expect(queue.popFirst() == next)
                next += 1
            }
            #expect(queue.count == number + 1 - next)
        }
        while let number = queue.popFirst() {
            #expect(number == next)
            next += 1
        }
        #expect(next == 5000)
        #expect(queue.isEmpty)
    }

    @Test func `the first element can be read without removing it`() {
        var queue = Queue<String>()
        #expect(queue.first == nil)
        queue.append("a")
        queue.append("b")
        #expect(queue.first == "a")
        _ = queue.popFirst()
        #expect(queue.first == "b")
        #expect(queue.count == 1)
    }
}

@Suite struct ConnectionTableTests {
    @Test func `an id of a closed connection does not find the next one at its index`() throws {
        let owner = TestGateway()
        defer { owner.shutDown() }
        let gateway = owner.embedded.gateway
        let first = gateway.accept(SilentTransport(), role: .any)
        let second = gateway.accept(SilentTransport(), role: .any)
        #expect(first.id != second.id)
        #expect(gateway.connections.count == 2)
        first.close()
        #expect(gateway.connections[first.id] == nil)
        let third = gateway.accept(SilentTransport(), role: .any)
        #expect(third.id.slot == first.id.slot)
        #expect(third.id != first.id)
        #expect(gateway.connections[first.id] == nil)
        #expect(gateway.connections[third.id] === third)
        #expect(gateway.connections.all.count == 2)
        // Closing twice does not remove another connection.
        first.close()
        #expect(gateway.connections.count == 2)
        #expect(gateway.connections[ConnectionID(slot: 99, generation: 0)] == nil)
    }
}

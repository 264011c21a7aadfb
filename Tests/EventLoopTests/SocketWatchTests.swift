import EventLoop
import Glibc
import Testing

@Suite struct SocketWatchTests {
    /// Two connected sockets.
    private static func pair() throws -> (Int32, Int32) {
        var ends: [Int32] = [0, 0]
        try #require(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0, &ends) == 0)
        return (ends[0], ends[1])
    }

    @Test func `a socket is reported until it was read, and other sockets get their turn`() throws {
        let loop = try EventLoop()
        let (near, far) = try Self.pair()
        var (calls, turns): ([SocketWatch.Events], [UInt64]) = ([], [])
        let watch = try SocketWatch(near, on: loop) { events in
            calls.append(events)
            turns.append(loop.turn)
            guard calls.count == 3 else { return }
            var byte: UInt8 = 0
            #expect(unsafe read(near, &byte, 1) == 1)
        }
        watch.start(for: .readable)
        loop.runOnce()
        #expect(calls == [])
        var byte: UInt8 = 7
        #expect(unsafe write(far, &byte, 1) == 1)
        for _ in 0..<6 { loop.runOnce() }
        #expect(calls == Array(repeating: .readable, count: 3))
        #expect(Set(turns).count == 3)
        watch.start(for: [.readable, .writable])
        loop.runOnce()
        #expect(calls.last == .writable)
        watch.close()
        #expect(unsafe write(far, &byte, 1) == 1)
        let before = calls.count
        loop.runOnce()
        #expect(calls.count == before)
        close(near)
        close(far)
        #expect(loop.close())
    }

    @Test(arguments: [
        ("127.0.0.1", [127, 0, 0, 1]), ("0.0.0.0", [0, 0, 0, 0]), ("::1", Array(repeating: 0, count: 15) + [1]),
    ])
    func `an address has its bytes`(host: String, bytes: [UInt8]) {
        #expect(SocketAddress(host: host, port: 1).bytes == bytes)
    }

    @Test func `something that is no socket can't be watched`() throws {
        let loop = try EventLoop()
        #expect(throws: LoopError.self) { try SocketWatch(-1, on: loop) { _ in } }
        #expect(loop.close())
    }
}

import EventLoop
import Testing

@Suite struct TCPListenerTests {
    @Test(
        arguments: [
            ("127.0.0.1:2197", "127.0.0.1:2197"), ("[::1]:0", "[::1]:0"), ("localhost:80", "127.0.0.1:80"),
            ("127.0.0.1", nil), (":80", nil), ("::1:80", nil), ("127.0.0.1:70000", nil), ("127.0.0.1:-1", nil),
            ("127.0.0.1:+80", nil), ("[[]]:1", nil), ("example.com:80", nil),
        ] as [(String, String?)])
    func `an address is parsed strictly`(text: String, expected: String?) {
        #expect(SocketAddress(parsing: text)?.description == expected)
    }

    @Test func `a host name is looked up and stays in the description`() throws {
        let address = try SocketAddress(lookingUp: "LOCALHOST:80")
        #expect(address.isLoopback)
        #expect(address.name == "LOCALHOST")
        #expect(address.description == "LOCALHOST:80")
        try #expect(SocketAddress(lookingUp: "[::1]:5") == SocketAddress(host: "::1", port: 5))
    }

    @Test func `a host name that is not looked up stays the host`() throws {
        let address = try SocketAddress(unresolved: "nosuch.invalid:80")
        #expect(address.host == "nosuch.invalid")
        #expect(address.description == "nosuch.invalid:80")
        try #expect(SocketAddress(unresolved: "[::1]:5") == SocketAddress(host: "::1", port: 5))
    }

    @Test(arguments: [
        ("localhost", "has no port"), ("", "has no port"), (":80", "has no host"),
        ("LOCALHOST:70000", "has no port from 0 to 65535"), ("LOCALHOST:", "has no port from 0 to 65535"),
        ("::1:80", "has no valid host (IPv6 addresses need brackets)"),
        ("a b:80", "has no valid host (IPv6 addresses need brackets)"),
    ]) func `an address that cannot be looked up says what is wrong`(text: String, reason: String) {
        let failure = #expect(throws: SocketAddress.LookupFailure.self) { try SocketAddress(lookingUp: text) }
        #expect(failure?.reason == reason)
    }

    @Test(arguments: ["127.0.0.1", "::1"]) func `the error for a port in use names the address`(host: String) throws {
        let loop = try EventLoop()
        let listener = try TCPListener(on: loop, at: SocketAddress(host: host, port: 0))
        #expect(listener.address.port != 0)
        #expect {
            _ = try TCPListener(on: loop, at: listener.address)
        } throws: { error in
            (error as? LoopError)?.isAddressInUse == true && "\(error)".contains(listener.address.description)
        }
        listener.close()
        #expect(loop.close())
    }

    @Test func `connections that may not be accepted wait until they may`() throws {
        let loop = try EventLoop()
        let listener = try TCPListener(on: loop, at: SocketAddress(host: "127.0.0.1", port: 0))
        let peers = try (0..<5).map { _ in try LoopbackPeer(port: listener.address.port) }
        var streams: [TCPStream] = []
        var room = 2
        listener.mayAccept = { streams.count < room }
        listener.accepted = { streams.append($0) }
        for _ in 0..<10 { loop.runOnce() }
        #expect(streams.count == 2)
        listener.resume()
        for _ in 0..<10 { loop.runOnce() }
        #expect(streams.count == 2)
        room = 5
        listener.resume()
        for _ in 0..<10 { loop.runOnce() }
        #expect(streams.count == peers.count)
        for stream in streams { stream.close() }
        listener.close()
        #expect(loop.close())
    }

    @Test(arguments: [(1024, 960), (64, 32), (1, 1), (0, 1), (Int.max, Int.max - 64)])
    func `some descriptors are kept for other uses`(limit: Int, connections: Int) {
        #expect(DescriptorLimit.connections(of: limit) == connections)
    }

    @Test func `connections that arrive together are all accepted`() throws {
        let loop = try EventLoop()
        let listener = try TCPListener(on: loop, at: SocketAddress(host: "127.0.0.1", port: 0))
        let peers = try (0..<50).map { _ in try LoopbackPeer(port: listener.address.port) }
        var streams: [TCPStream] = []
        let watchdog = try LoopTimer(on: loop) { loop.stop() }
        watchdog.start(after: 10_000)
        listener.accepted = { stream in
            streams.append(stream)
            if streams.count == peers.count { loop.stop() }
        }
        loop.run()
        #expect(streams.count == 50)
        for stream in streams { stream.close() }
        listener.close()
        watchdog.close()
        #expect(loop.close())
    }

    @Test func `a blocking client reads bytes one by one, in pieces, and up to the end`() throws {
        let loop = try EventLoop()
        let listener = try TCPListener(on: loop, at: SocketAddress(host: "127.0.0.1", port: 0))
        let client = try #require(BlockingSocket(to: listener.address))
        listener.accepted = { stream in
            stream.write(Array("hello".utf8).span)
            stream.endWriting()
            stream.close()
            listener.close()
        }
        #expect(!client.wait(alsoFor: nil, milliseconds: 0).isReadable)
        loop.run()
        #expect(client.wait(alsoFor: nil, milliseconds: 10_000).isReadable)
        #expect(client.readByte() == UInt8(ascii: "h"))
        #expect(client.read() == Array("ello".utf8))
        #expect(client.read() == [])
        #expect(client.readByte() == nil)
        #expect(loop.close())
    }
}

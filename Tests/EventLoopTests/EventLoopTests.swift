import EventLoop
import Testing

@Suite struct EventLoopTests {
    @Test func `a timer fires on the loop and everything can be closed`() throws {
        let loop = try EventLoop()
        var fired = 0
        let timer = try LoopTimer(on: loop) {
            fired += 1
            loop.stop()
        }
        timer.start(after: 1)
        loop.run()
        #expect(fired == 1)
        timer.close()
        #expect(loop.close())
    }

    @Test func `a message from another thread wakes the loop, and none is taken after closing`() async throws {
        let loop = try EventLoop()
        var received: [Int] = []
        let mailbox = try Mailbox<Int>(on: loop) { message in
            received.append(message)
            if message == 3 { loop.stop() }
        }
        Task.detached { for number in 1...3 { mailbox.send(number) } }
        loop.run()
        #expect(received == [1, 2, 3])
        mailbox.close()
        #expect(!mailbox.send(4))
        #expect(loop.close())
    }

    @Test(
        arguments: [
            ("127.0.0.1:2197", "127.0.0.1:2197"), ("[::1]:0", "[::1]:0"), ("localhost:80", "127.0.0.1:80"),
            ("127.0.0.1", nil), (":80", nil), ("::1:80", nil), ("127.0.0.1:70000", nil), ("127.0.0.1:-1", nil),
            ("127.0.0.1:+80", nil), ("[[]]:1", nil), ("example.com:80", nil),
        ] as [(String, String?)])
    func `addresses are read strictly`(text: String, expected: String?) {
        #expect(SocketAddress(parsing: text)?.description == expected)
    }

    @Test(arguments: ["127.0.0.1", "::1"]) func `a taken port is named`(host: String) throws {
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
}

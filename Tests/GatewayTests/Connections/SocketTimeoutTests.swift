import PushpitTesting
import Testing

@testable import Gateway

/// What ends a device socket, and what keeps it.
@Suite struct SocketTimeoutTests {
    @Test func `a socket without a hello in time is closed with 4000, even if the client sends pings`() throws {
        try TestGateway.run { gateway in
            let phone = try gateway.socket()
            for _ in 0..<10 {
                gateway.advanceLoopTime(.milliseconds(500))
                try phone.ping([1])
            }
            #expect(phone.closeCode == nil)
            gateway.advanceLoopTime(.milliseconds(500))
            try #expect(phone.waitForClose() == 4000)
            #expect(phone.pongs.count == 10)
        }
    }

    @Test func `a silent client is pinged, and disconnected if it does not answer`() throws {
        try TestGateway.run { gateway in
            let phone = try gateway.phone()
            phone.answersPings = false
            gateway.advanceLoopTime(.seconds(30))
            try phone.poll()
            #expect(phone.pings.count == 0)
            gateway.advanceLoopTime(.milliseconds(500))
            try phone.poll()
            #expect(phone.pings.count == 1)
            gateway.advanceLoopTime(.seconds(29))
            #expect(!phone.isEnded)
            gateway.advanceLoopTime(.seconds(1))
            #expect(phone.isEnded)
            // The peer has a second to close after the gateway.
            gateway.advanceLoopTime(.seconds(2))
            try #expect(gateway.ask("GET", "/devices/\(phone.id)")["connected"] == false)
        }
    }

    @Test func `a client that answers pings stays`() throws {
        try TestGateway.run { gateway in
            let phone = try gateway.phone()
            for _ in 0..<240 {
                gateway.advanceLoopTime(.milliseconds(500))
                try phone.poll()
            }
            #expect(phone.pings.count == 3)
            try #expect(phone.received() == [])
        }
    }

    @Test func `an unfinished message closes the socket with 1008`() throws {
        var configuration = TestConfiguration()
        configuration.stallTimeout = .seconds(2)
        try TestGateway.run(.embedded, configuration) { gateway in
            let phone = try gateway.phone()
            try phone.write(SocketFrame(1, Array(repeating: 32, count: 1000), isFinal: false).bytes)
            gateway.advanceLoopTime(.seconds(2))
            #expect(phone.closeCode == nil)
            gateway.advanceLoopTime(.milliseconds(500))
            try #expect(phone.waitForClose() == 1008)
        }
    }

    @Test func `a client that does not answer a Close frame is disconnected after five seconds`() throws {
        try TestGateway.run { gateway in
            let phone = try gateway.phone()
            try phone.write(SocketFrame(2, [1]).bytes)
            try #expect(phone.waitForClose() == 1003)
            gateway.advanceLoopTime(.seconds(5))
            #expect(gateway.embedded.gateway.openConnections == 1)
            gateway.advanceLoopTime(.seconds(3))
            #expect(gateway.embedded.gateway.openConnections == 0)
        }
    }

    @Test func `incomplete messages share the budget of incomplete requests`() throws {
        var configuration = TestConfiguration()
        configuration.bodyMemory = 1000
        try TestGateway.run(.embedded, configuration) { gateway in
            let phone = try gateway.phone()
            let part = SocketFrame(1, Array(repeating: 32, count: 600), isFinal: false).bytes
            try phone.write(part)
            let other = try gateway.phone()
            try other.write(part)
            try #expect(other.waitForClose() == 1009)
            let end = SocketFrame(0, Array(#"{"type":"ping"}"#.utf8)).bytes
            try phone.write(end)
            try #expect(phone.next()["type"] == "pong")
            // What the first has given back is there for another.
            let third = try gateway.phone()
            try third.write(part + end)
            try #expect(third.next()["type"] == "pong")
        }
    }

    @Test func `a socket that never pauses stays, although each read ends inside a message`() throws {
        try TestGateway.run { gateway in
            let phone = try gateway.phone()
            let ping = Array(#"{"type":"ping","pad":"\#(String(repeating: "x", count: 500))"}"#.utf8)
            let frame = SocketFrame(1, ping).bytes
            try phone.write(Array(frame.prefix(100)))
            for _ in 0..<40 {
                gateway.advanceLoopTime(.milliseconds(500))
                try phone.write(Array(frame[100...] + frame[..<100]))
            }
            try phone.write(Array(frame[100...]))
            try #expect(phone.received().count == 41)
        }
    }

    @Test func `a message has all its time again after the gateway has read nothing`() throws {
        try Disk.run {
            $0.logCapacity = 200
        } _: { gateway, disk in
            let phone = try gateway.phone()
            disk.runAll(in: gateway.embedded)
            let frame = SocketFrame(1, Array(#"{"type":"ping"}"#.utf8)).bytes
            try phone.write(Array(frame.prefix(10)))
            var pushes: [TestCall] = []
            while !gateway.embedded.gateway.isPausedForDisk { pushes.append(try gateway.startPush()) }
            gateway.advanceLoopTime(.seconds(40))
            disk.runAll(in: gateway.embedded)
            for push in pushes { try #expect(push.answer().status == 200) }
            gateway.advanceLoopTime(.seconds(4))
            try phone.write(Array(frame.dropFirst(10)))
            try #expect(phone.received().contains { $0["type"] == "pong" })
        }
    }
}

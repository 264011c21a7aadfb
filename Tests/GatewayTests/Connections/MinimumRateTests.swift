import HTTPCore
import PushpitTesting
import Testing

@testable import Gateway

/// A peer that sends or reads too slowly, without ever being silent, is disconnected.
@Suite struct MinimumRateTests {
    /// HEADERS of stream 1 for `POST /`, without END_STREAM and with these flags besides.
    private func request(flags: UInt8, padding: Int = 0) -> [UInt8] {
        let block: [UInt8] = [0x83, 0x87, 0x84, 0x41, 9] + Array("localhost".utf8)
        return [0, 0, UInt8(block.count), 1, flags, 0, 0, 0, 1] + block
    }

    private let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + [0, 0, 0, 4, 0, 0, 0, 0, 0]

    @Test(arguments: [
        (count: 0, seconds: 4 as UInt64, false), (0, 6, true), (2500, 10, false), (2499, 10, true), (-1, 6, true),
    ])
    func `500 bytes a second are enough after 5 seconds`(count: Int, seconds: UInt64, isMissed: Bool) {
        #expect(MinimumRate.isMissed(count, since: 1000, at: 1000 + 1000 * seconds) == isMissed)
    }

    @Test func `a time before the beginning is not too slow`() {
        #expect(!MinimumRate.isMissed(0, since: 1_000_000, at: 0))
    }

    @Test(arguments: [(bytes: 150, survives: false), (bytes: 300, survives: true)])
    func `a body over HTTP 1 needs 500 bytes a second`(bytes: Int, survives: Bool) throws {
        let gateway = TestGateway(TestConfiguration())
        let connection = try gateway.connect(over: .http1)
        try connection.write(
            Array("POST /api/v1/expect HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n\r\n".utf8))
        for _ in 0..<40 {
            gateway.advanceLoopTime(.milliseconds(500))
            try connection.write(Array(repeating: 32, count: bytes))
        }
        let answer = String(decoding: try connection.read(), as: UTF8.self)
        #expect(answer.hasPrefix("HTTP/1.1 408 ") != survives, "\(answer.prefix(40))")
    }

    /// An unknown path allows no body. Its answer comes before the end of the body.
    @Test(
        arguments: [(bytes: 150, survives: false), (300, true)],
        ["content-length: 90000", "transfer-encoding: chunked"])
    func `so does a body over its limit`(rate: (bytes: Int, survives: Bool), length: String) throws {
        let gateway = TestGateway(TestConfiguration())
        let connection = try gateway.connect(over: .http1)
        try connection.write(Array("POST /unknown HTTP/1.1\r\nhost: localhost\r\n\(length)\r\n\r\n".utf8))
        if length.hasSuffix("chunked") { try connection.write(Array("15F90\r\n".utf8)) }
        for _ in 0..<40 {
            gateway.advanceLoopTime(.milliseconds(500))
            try connection.write(Array(repeating: 32, count: rate.bytes))
        }
        let answers = String(decoding: try connection.read(), as: UTF8.self).split(separator: "HTTP/1.1 ")
        #expect(answers.count == 1 && answers[0].hasPrefix("413"), "\(answers)")
        try #expect(connection.isEnded() != rate.survives)
    }

    @Test func `the rest of a body over its limit has time from the answer on`() throws {
        let gateway = TestGateway(TestConfiguration())
        try gateway.ask(
            "POST", "/faults", ["match": ["path": "/v1/projects/p/messages:send"], "effect": ["delay": "20s"]],
            status: 201)
        let connection = try gateway.connect(over: .http1)
        try connection.write(
            Array(
                "POST /v1/projects/p/messages:send HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1100000\r\n\r\n"
                    .utf8))
        gateway.advanceLoopTime(.seconds(19))
        try #expect(connection.read() == [])
        gateway.advanceClock(by: .seconds(20))
        gateway.advanceLoopTime(.seconds(5))
        try #expect(!connection.read().isEmpty && !connection.isEnded())
        gateway.advanceLoopTime(.seconds(4))
        try #expect(connection.isEnded())
    }

    @Test(arguments: [(bytes: 150, survives: false), (bytes: 300, survives: true)])
    func `a body over HTTP 2 needs 500 bytes a second`(bytes: Int, survives: Bool) throws {
        let gateway = TestGateway(TestConfiguration())
        let connection = try gateway.connect()
        try #expect(connection.send("GET", "/livez").status == 200)
        var head = request(flags: 4)
        head[8] = 3
        try connection.write(head)
        for _ in 0..<40 {
            gateway.advanceLoopTime(.milliseconds(500))
            try connection.write(
                [0, UInt8(bytes >> 8), UInt8(bytes & 255), 0, 0, 0, 0, 0, 3] + Array(repeating: 32, count: bytes))
        }
        let frames = Frames(try connection.read()).all
        #expect(frames.contains { $0.type == 3 && $0.stream == 3 } != survives)
    }

    @Test(arguments: ["a block without its end", "half a frame", "half the preface", "half a frame header"])
    func `a head over HTTP 2 is complete in time, even if a byte comes now and then`(part: String) throws {
        var configuration = TestConfiguration()
        configuration.headTimeout = .seconds(2)
        let gateway = TestGateway(configuration)
        let connection = try gateway.connect(to: .apns, over: .http1)
        switch part {
        case "a block without its end": try connection.write(preface + request(flags: 0))
        case "half a frame": try connection.write(preface + request(flags: 4).prefix(12))
        case "half the preface": try connection.write(Array(preface.prefix(20)))
        default: try connection.write(preface + [0, 0])
        }
        for _ in 0..<3 {
            gateway.advanceLoopTime(.milliseconds(500))
            #expect(gateway.embedded.gateway.openConnections == 1)
            switch part {
            case "a block without its end": try connection.write([0, 0, 1, 9, 0, 0, 0, 0, 1, 0x83])
            case "half a frame": try connection.write([0x61])
            default: break
            }
        }
        gateway.advanceLoopTime(.milliseconds(1500))
        #expect(gateway.embedded.gateway.openConnections == 0)
    }

    @Test(arguments: [(bytes: 100, survives: false), (bytes: 600, survives: true)])
    func `an answer is taken at 500 bytes a second`(bytes: Int, survives: Bool) throws {
        var configuration = TestConfiguration()
        configuration.stallTimeout = .seconds(2)
        let gateway = TestGateway(configuration)
        let connection = try gateway.connect(over: .http1)
        connection.isReading = false
        for _ in 0..<60 { try connection.write(Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)) }
        for _ in 0..<15 {
            gateway.advanceLoopTime(.seconds(1))
            _ = connection.take(atMost: bytes)
        }
        #expect(gateway.embedded.gateway.openConnections == (survives ? 1 : 0))
    }

    @Test(arguments: [(bytes: 100, survives: false), (bytes: 600, survives: true)])
    func `a stream's window opens by 500 bytes a second`(bytes: Int, survives: Bool) throws {
        var configuration = TestConfiguration()
        configuration.stallTimeout = .seconds(2)
        let gateway = TestGateway(configuration)
        let connection = try gateway.connect(to: .any, over: .http1)
        // An initial window of 10 bytes, then GET /api/v1/rules.
        let settings: [UInt8] = [0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 10]
        let path = Array("/api/v1/rules".utf8)
        let block: [UInt8] = [0x82, 0x87, 0x41, 9] + Array("localhost".utf8) + [0x44, UInt8(path.count)] + path
        try connection.write(
            Array(preface.prefix(24)) + settings + [0, 0, UInt8(block.count), 1, 5, 0, 0, 0, 1] + block)
        for _ in 0..<15 {
            gateway.advanceLoopTime(.seconds(1))
            try connection.write([0, 0, 4, 8, 0, 0, 0, 0, 1, 0, 0, UInt8(bytes >> 8), UInt8(bytes & 255)])
        }
        let frames = Frames(try connection.read()).all
        #expect(frames.contains { $0.type == 0 && $0.stream == 1 })
        #expect(frames.contains { $0.type == 3 && $0.stream == 1 } != survives)
    }

    @Test func `an unfinished message on a socket needs 500 bytes a second`() throws {
        try TestGateway.run { gateway in
            let phone = try gateway.phone()
            try phone.write(SocketFrame(1, Array(repeating: 32, count: 100), isFinal: false).bytes)
            for _ in 0..<8 {
                gateway.advanceLoopTime(.milliseconds(1000))
                try phone.write(SocketFrame(0, Array(repeating: 32, count: 100), isFinal: false).bytes)
            }
            try #expect(phone.waitForClose() == 1008)
        }
    }
}

import TestSupport
import Testing

@testable import WebSocket

struct FramingTests {
    @Test(arguments: [0, 1, 125, 126, 127, 128, 65_535, 65_536, 100_003], [1, 2] as [UInt8])
    func `a message of any length is decoded`(_ count: Int, _ opcode: UInt8) throws {
        let payload = (0..<count).map { UInt8($0 % 96 + 32) }
        let (outcome, difference) = ChunkingVerifier.frames().verify(frame(opcode, payload) + text("next"))
        #expect(
            outcome
                == Outcome(events: [.message(try #require(Opcode(rawValue: opcode)), payload), .text("next")])
        )
        #expect(difference == nil)
    }

    @Test(arguments: [0, 1, 2, 3, 4, 5, 125, 126, 127, 128, 65_535, 65_536, 100_003])
    func `a masked message is unmasked, however it is split`(_ count: Int) {
        let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let key: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]
        var input = frame(2, payload.enumerated().map { $1 ^ key[$0 % 4] })
        let headCount = input.count - count
        input[1] |= 0x80
        input.insert(contentsOf: key, at: headCount)
        let (outcome, difference) = ChunkingVerifier.frames(expectsMask: true).verify(input + input)
        #expect(outcome == Outcome(events: [.message(.binary, payload), .message(.binary, payload)]))
        #expect(difference == nil)
    }

    @Test(arguments: [
        Sample("empty ping", frame(9, []), gives: [.ping([])]),
        Sample("empty pong", frame(10, []), gives: [.pong([])]),
        Sample(
            "ping with bytes that are not text", frame(9, [0, 0xFE, 0xFF]), gives: [.ping([0, 0xFE, 0xFF])]),
        Sample(
            "ping of 125 bytes", frame(9, Array(repeating: 0xFE, count: 125)),
            gives: [.ping(Array(repeating: 0xFE, count: 125))]),
        Sample("ping of 126 bytes", frame(9, Array(repeating: 0, count: 126)), fails: .protocolError),
        Sample("pong of 126 bytes", frame(10, Array(repeating: 0, count: 126)), fails: .protocolError),
        Sample("pong with a length of 64 bits", [0x8A, 127], fails: .protocolError),
        Sample(
            "ten pings", Array(Array(repeating: frame(9, [1]), count: 10).joined()),
            gives: Array(repeating: .ping([1]), count: 10)),
        Sample("ping without FIN", frame(9, [], final: false), fails: .protocolError),
        Sample("unsolicited pong, then text", frame(10, [1]), text("a"), gives: [.pong([1]), .text("a")]),
        Sample("no bytes"),
        Sample("half a header", [0x81], gives: []),
        Sample("half a payload", [0x81, 2, 0x61], gives: []),
    ])
    func `control frames are decoded one by one`(_ sample: Sample) { check(sample) }

    @Test(arguments: Array(1...7) as [UInt8])
    func `reserved bits are refused on every kind of frame`(_ bits: UInt8) {
        for opcode: UInt8 in [1, 2, 8, 9, 10] {
            check(
                Sample(
                    "\(bits) \(opcode)", text("a"), frame(opcode, [], reserved: bits), gives: [.text("a")],
                    fails: .protocolError))
        }
        check(Sample("\(bits)", text("a", final: false), frame(0, [], reserved: bits), fails: .protocolError))
    }

    @Test(arguments: [3, 4, 5, 6, 7, 11, 12, 13, 14, 15] as [UInt8])
    func `reserved opcodes are refused at their first byte`(_ opcode: UInt8) {
        check(Sample("\(opcode)", text("a"), [0x80 | opcode], gives: [.text("a")], fails: .protocolError))
        check(Sample("\(opcode)", text("a", final: false), [opcode], fails: .protocolError))
    }

    @Test(arguments: [
        Sample("16 bits for 0", [0x82, 126, 0, 0], fails: .protocolError),
        Sample("16 bits for 125", [0x82, 126, 0, 125], fails: .protocolError),
        Sample("64 bits for 126", [0x82, 127, 0, 0, 0, 0, 0, 0, 0, 126], fails: .protocolError),
        Sample("64 bits for 65535", [0x82, 127, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], fails: .protocolError),
        Sample("the 64th bit", [0x82, 127, 0x80, 0, 0, 0, 0, 0, 0, 0], fails: .protocolError),
        Sample("all bits", [0x82, 127] + Array(repeating: 0xFF, count: 8), fails: .protocolError),
        Sample("longest length", [0x82, 127, 0x7F] + Array(repeating: 0xFF, count: 7), fails: .tooBig),
    ])
    func `a length in more bytes than necessary, or too large, is refused`(_ sample: Sample) { check(sample) }

    @Test func `a mask is required from clients and forbidden from servers`() {
        for opcode: UInt8 in [1, 2, 8, 9, 10] {
            let bare = Sample("", [0x80 | opcode, 0], fails: .protocolError)
            check(bare, .frames(expectsMask: true))
            check(Sample("", [0x80 | opcode, 0x80], fails: .protocolError))
        }
    }
}

func check(
    _ sample: Sample, _ verifier: ChunkingVerifier<Outcome> = .frames(),
    at location: SourceLocation = #_sourceLocation
) {
    let (outcome, difference) = verifier.verify(sample.input)
    #expect(outcome == sample.outcome, "\(sample.name)", sourceLocation: location)
    #expect(difference == nil, "\(sample.name)", sourceLocation: location)
}

import TestSupport
import Testing

@testable import WebSocket

struct EncoderTests {
    @Test(
        arguments: [
            (0, [0x82, 0]), (125, [0x82, 125]), (126, [0x82, 126, 0, 126]),
            (65_535, [0x82, 126, 0xFF, 0xFF]),
            (65_536, [0x82, 127, 0, 0, 0, 0, 0, 1, 0, 0]),
        ] as [(Int, [UInt8])])
    func `a length is written in as few bytes as possible`(_ count: Int, _ head: [UInt8]) {
        var output: [UInt8] = []
        FrameEncoder.append(.binary, Array(repeating: 7, count: count), into: &output)
        #expect(output == head + Array(repeating: 7, count: count))
    }

    @Test func `RFC 6455's masked Hello is written byte for byte`() {
        var output: [UInt8] = [0xAA]
        FrameEncoder.append(.text, Array("Hello".utf8), mask: [0x37, 0xFA, 0x21, 0x3D], into: &output)
        #expect(output == [0xAA, 0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58])
    }

    @Test(arguments: [nil, [1, 2, 3, 4]] as [[UInt8]?])
    func `the decoder reads what the encoder writes`(_ mask: [UInt8]?) {
        var output: [UInt8] = []
        let long = Array(repeating: UInt8(0xFE), count: 70_001)
        FrameEncoder.append(.text, Array("Grüße".utf8), mask: mask, into: &output)
        FrameEncoder.append(.ping, [1, 2, 3], mask: mask, into: &output)
        FrameEncoder.append(.binary, long, mask: mask, into: &output)
        FrameEncoder.append(.pong, [], mask: mask, into: &output)
        let sample = Sample(
            "all", output, gives: [.text("Grüße"), .ping([1, 2, 3]), .message(.binary, long), .pong([])])
        check(sample, .frames(expectsMask: mask != nil))
    }
}

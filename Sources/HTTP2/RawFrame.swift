/// Frames written by hand, where nghttp2 would not write them (any more).
package enum RawFrame {
    package static func goAway(lastStream: StreamID, code: HTTP2ErrorCode, debug: [UInt8]) -> [UInt8] {
        header(length: 8 + debug.count, type: 7, stream: 0) + word(UInt32(lastStream)) + word(code.rawValue) + debug
    }

    package static func reset(_ stream: StreamID, code: HTTP2ErrorCode) -> [UInt8] {
        header(length: 4, type: 3, stream: stream) + word(code.rawValue)
    }

    private static func header(length: Int, type: UInt8, stream: StreamID) -> [UInt8] {
        Array(word(UInt32(length)).dropFirst()) + [type, 0] + word(UInt32(stream))
    }

    private static func word(_ value: UInt32) -> [UInt8] {
        [UInt8(truncatingIfNeeded: value >> 24), UInt8(truncatingIfNeeded: value >> 16),
            UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
    }
}

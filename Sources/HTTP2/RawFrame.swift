package import HTTPCore

/// Encodes frames that nghttp2 does not send, or no longer sends after an error.
package enum RawFrame {
    package static func goAway(lastStream: StreamID, code: HTTP2ErrorCode, debug: [UInt8]) -> [UInt8] {
        header(length: 8 + debug.count, type: 7, stream: 0) + word(UInt32(lastStream)) + word(code.rawValue) + debug
    }

    package static func reset(_ stream: StreamID, code: HTTP2ErrorCode) -> [UInt8] {
        header(length: 4, type: 3, stream: stream) + word(code.rawValue)
    }

    static let headerSize = 9
    /// The payload size that every peer must accept (RFC 9113 §4.2).
    private static let largestPayload = 16_384
    private static let endHeaders: UInt8 = 4

    /// Sets the length of the HEADERS frame that starts at `frame` and extends to the end of the output. If the block
    /// is too large for one frame, the rest is moved into CONTINUATION frames.
    static func endBlock(of output: inout [UInt8], from frame: Int) {
        let length = output.count - frame - headerSize
        guard length > largestPayload else { return output.write(length: length, at: frame) }
        let stream = StreamID(output[(frame + 5)..<(frame + headerSize)].reduce(0) { $0 << 8 | UInt32($1) })
        var rest = output[(frame + headerSize + largestPayload)...]
        output.removeLast(rest.count)
        output.write(length: largestPayload, at: frame)
        output[frame + 4] &= ~endHeaders
        while !rest.isEmpty {
            let part = rest.prefix(largestPayload)
            rest = rest.dropFirst(part.count)
            output += header(length: part.count, type: 9, flags: rest.isEmpty ? endHeaders : 0, stream: stream) + part
        }
    }

    private static func header(length: Int, type: UInt8, flags: UInt8 = 0, stream: StreamID) -> [UInt8] {
        Array(word(UInt32(length)).dropFirst()) + [type, flags] + word(UInt32(stream))
    }

    private static func word(_ value: UInt32) -> [UInt8] {
        [
            UInt8(truncatingIfNeeded: value >> 24), UInt8(truncatingIfNeeded: value >> 16),
            UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value),
        ]
    }
}

extension [UInt8] {
    fileprivate mutating func write(length: Int, at frame: Int) {
        self[frame] = UInt8(truncatingIfNeeded: length >> 16)
        self[frame + 1] = UInt8(truncatingIfNeeded: length >> 8)
        self[frame + 2] = UInt8(truncatingIfNeeded: length)
    }
}

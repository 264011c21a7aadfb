internal import HTTPCore
internal import CNghttp2

/// Finds where frames begin in the bytes a client sends, ahead of nghttp2: of some it never speaks.
struct FrameScanner {
    struct Head: Equatable {
        let type: UInt8
        let stream: StreamID
        /// All of the frame is there, from its first octet to its last.
        var isWhole = false

        var isHeaders: Bool { UInt32(type) == NGHTTP2_HEADERS.rawValue }
    }

    /// Octets of the client's preface, of a frame's header and of its payload that are still to come.
    private var prefaceLeft = 24
    private var headerLeft = 9
    private var payloadLeft = 0
    /// The last eight octets of a header, and before them the first.
    private var first: UInt8 = 0
    private var rest: UInt64 = 0

    /// How many of the bytes from `offset` on go together, and the header that is whole with them, if one is. They
    /// never reach beyond the end of one frame.
    mutating func next(_ bytes: Span<UInt8>, from offset: Int) -> (count: Int, head: Head?) {
        if prefaceLeft > 0 {
            let count = min(prefaceLeft, bytes.count - offset)
            prefaceLeft -= count
            return (count, nil)
        }
        var index = offset
        var head: Head?
        if payloadLeft == 0, headerLeft == 9, bytes.count - offset >= 9 {
            head = whole(bytes.extracting(offset..<(offset + 9)))
            index += 9
            head?.isWhole = payloadLeft <= bytes.count - index
        }
        while payloadLeft == 0, head == nil, index < bytes.count {
            head = take(bytes[index])
            index += 1
        }
        let payload = min(payloadLeft, bytes.count - index)
        payloadLeft -= payload
        return (index + payload - offset, head)
    }

    /// A header in one piece, as nearly all are.
    private mutating func whole(_ header: Span<UInt8>) -> Head {
        payloadLeft = Int(header[0]) << 16 | Int(header[1]) << 8 | Int(header[2])
        let stream =
            UInt32(header[5] & 0x7F) << 24 | UInt32(header[6]) << 16 | UInt32(header[7]) << 8 | UInt32(header[8])
        return Head(type: header[3], stream: StreamID(bitPattern: stream))
    }

    private mutating func take(_ byte: UInt8) -> Head? {
        if headerLeft == 9 { first = byte } else { rest = rest << 8 | UInt64(byte) }
        headerLeft -= 1
        guard headerLeft == 0 else { return nil }
        headerLeft = 9
        payloadLeft = Int(first) << 16 | Int(rest >> 48)
        return Head(
            type: UInt8(truncatingIfNeeded: rest >> 40), stream: StreamID(truncatingIfNeeded: rest & 0x7FFF_FFFF))
    }
}

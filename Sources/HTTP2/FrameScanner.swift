internal import CNghttp2
internal import HTTPCore

/// Finds the frame headers in the bytes that a client sends, before nghttp2 reads them. It is needed because nghttp2
/// does not report some frames.
struct FrameScanner {
    struct Head: Equatable {
        let type: UInt8
        let flags: UInt8
        let stream: StreamID
        /// The input contains the complete frame, header and payload.
        var isWhole = false

        var isHeaders: Bool { UInt32(type) == NGHTTP2_HEADERS.rawValue }

        /// Whether the frame is the last one of a header block; nil if it is not a part of a header block.
        var endsHeaders: Bool? {
            guard isHeaders || UInt32(type) == NGHTTP2_CONTINUATION.rawValue else { return nil }
            return flags & UInt8(NGHTTP2_FLAG_END_HEADERS.rawValue) != 0
        }
    }

    /// The missing bytes of the client's preface, of the current frame's header and of its payload.
    private var prefaceLeft = 24
    private var headerLeft = 9
    private var payloadLeft = 0
    /// The first byte of a header that arrives in pieces, and the eight bytes after it.
    private var first: UInt8 = 0
    private var rest: UInt64 = 0

    /// Whether the preface or a frame is incomplete.
    var isInside: Bool { prefaceLeft > 0 || headerLeft < 9 || payloadLeft > 0 }

    /// The number of bytes from `offset` on that belong to the preface or to one frame.
    /// `head` is set if they complete the header of the frame.
    mutating func next(_ bytes: Span<UInt8>, from offset: Int) -> (count: Int, head: Head?) {
        if prefaceLeft > 0 {
            let count = min(prefaceLeft, bytes.count - offset)
            prefaceLeft -= count
            return (count, nil)
        }
        var index = offset
        var head: Head?
        if payloadLeft == 0, headerLeft == 9, bytes.count - offset >= 9 {
            head = readHeader(bytes.extracting(offset..<(offset + 9)))
            index += 9
            head?.isWhole = payloadLeft <= bytes.count - index
        }
        while payloadLeft == 0, head == nil, index < bytes.count {
            head = readHeaderByte(bytes[index])
            index += 1
        }
        let payload = min(payloadLeft, bytes.count - index)
        payloadLeft -= payload
        return (index + payload - offset, head)
    }

    /// Reads a header that arrived in one piece, as nearly all do.
    private mutating func readHeader(_ header: Span<UInt8>) -> Head {
        payloadLeft = Int(header[0]) << 16 | Int(header[1]) << 8 | Int(header[2])
        let stream =
            UInt32(header[5] & 0x7F) << 24 | UInt32(header[6]) << 16 | UInt32(header[7]) << 8 | UInt32(header[8])
        return Head(type: header[3], flags: header[4], stream: StreamID(bitPattern: stream))
    }

    /// Reads one byte of a header that arrives in pieces.
    private mutating func readHeaderByte(_ byte: UInt8) -> Head? {
        if headerLeft == 9 { first = byte } else { rest = rest << 8 | UInt64(byte) }
        headerLeft -= 1
        guard headerLeft == 0 else { return nil }
        headerLeft = 9
        payloadLeft = Int(first) << 16 | Int(rest >> 48)
        return Head(
            type: UInt8(truncatingIfNeeded: rest >> 40), flags: UInt8(truncatingIfNeeded: rest >> 32),
            stream: StreamID(truncatingIfNeeded: rest & 0x7FFF_FFFF))
    }
}

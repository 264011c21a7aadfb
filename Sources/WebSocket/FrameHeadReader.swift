/// Reads a frame's header byte by byte, and throws at the first byte that is not allowed.
struct FrameHeadReader: Sendable {
    private enum State {
        case opcode
        case length
        case wideLength(left: Int, minimum: UInt64)
        case mask(left: Int)
    }

    private let expectsMask: Bool
    private var state = State.opcode
    private var head = FrameHead()
    private var wide: UInt64 = 0

    init(expectsMask: Bool) {
        self.expectsMask = expectsMask
    }

    /// - Parameters:
    ///   - isInMessage: a message is incomplete, so that only its continuation and control frames are allowed.
    ///   - room: the longest payload that a data frame may have.
    /// - Returns: the header if `byte` was its last byte, else nil.
    mutating func read(_ byte: UInt8, isInMessage: Bool, room: Int) throws(CloseCode) -> FrameHead? {
        switch state {
        case .opcode:
            guard byte & 0x70 == 0, let opcode = Opcode(rawValue: byte & 15) else { throw .protocolError }
            head.opcode = opcode
            head.isFinal = byte & 0x80 != 0
            if opcode.isControl ? !head.isFinal : (opcode == .continuation) != isInMessage {
                throw .protocolError
            }
            state = .length
            return nil
        case .length:
            guard (byte & 0x80 != 0) == expectsMask else { throw .protocolError }
            let length = UInt64(byte & 0x7F)
            if head.opcode.isControl, length > 125 { throw .protocolError }
            switch length {
            case 126: state = .wideLength(left: 2, minimum: 126)
            case 127: state = .wideLength(left: 8, minimum: 65_536)
            default: return try readPayloadLength(length, room)
            }
            return nil
        case .wideLength(let left, let minimum):
            wide = wide << 8 | UInt64(byte)
            guard left == 1 else {
                state = .wideLength(left: left - 1, minimum: minimum)
                return nil
            }
            guard wide >> 63 == 0, wide >= minimum else { throw .protocolError }
            return try readPayloadLength(wide, room)
        case .mask(let left):
            head.mask.append(byte)
            if left == 1 { return head }
            state = .mask(left: left - 1)
            return nil
        }
    }

    /// - Returns: the header if no masking key follows, else nil.
    private mutating func readPayloadLength(_ length: UInt64, _ room: Int) throws(CloseCode) -> FrameHead? {
        head.left = Int(length)
        if !head.opcode.isControl, head.left > room { throw .tooBig }
        state = .mask(left: 4)
        return expectsMask ? nil : head
    }
}

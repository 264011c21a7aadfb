/// Reads one side's frames and joins fragments, from input cut anywhere.
package struct FrameDecoder: Sendable {
    package enum Event: Sendable, Equatable {
        case message(Opcode, [UInt8])
        case ping([UInt8])
        case pong([UInt8])
        /// With no code where the frame was empty.
        case close(CloseCode?, String)
    }

    private enum State {
        /// The head's bytes so far.
        case head([UInt8])
        case payload(Head)
    }

    private struct Head {
        var opcode: Opcode
        var isFinal: Bool
        var left: Int
        var mask: [UInt8]
        var read = 0
    }

    private let expectsMask: Bool
    private let messageLimit: Int
    private var state = State.head([])
    private var payload: [UInt8] = []
    /// The message whose fragments are being read.
    private var message: (opcode: Opcode, bytes: [UInt8])?

    package init(expectsMask: Bool, messageLimit: Int) {
        self.expectsMask = expectsMask
        self.messageLimit = messageLimit
    }

    /// The next event from `offset` on; nil where more bytes are needed. An error is final.
    package mutating func next(_ input: Span<UInt8>, from offset: inout Int) throws(CloseCode) -> Event? {
        while true {
            switch state {
            case .head(var bytes):
                guard offset < input.count else { return nil }
                bytes.append(input[offset])
                offset += 1
                if let head = try parse(bytes) { state = .payload(head) } else { state = .head(bytes) }
            case .payload(var head):
                let count = min(head.left, input.count - offset)
                for index in 0..<count {
                    let byte = input[offset + index]
                    payload.append(expectsMask ? byte ^ head.mask[(head.read + index) & 3] : byte)
                }
                offset += count
                head.left -= count
                head.read += count
                guard head.left == 0 else {
                    state = .payload(head)
                    return nil
                }
                state = .head([])
                let bytes = payload
                payload = []
                if let event = try finish(head, bytes) { return event }
            }
        }
    }

    private func parse(_ bytes: [UInt8]) throws(CloseCode) -> Head? {
        guard bytes[0] & 0x70 == 0, let opcode = Opcode(rawValue: bytes[0] & 15) else { throw .protocolError }
        let isFinal = bytes[0] & 0x80 != 0
        if opcode.isControl, !isFinal { throw .protocolError }
        if opcode == .continuation ? message == nil : !opcode.isControl && message != nil { throw .protocolError }
        guard bytes.count >= 2 else { return nil }
        guard (bytes[1] & 0x80 != 0) == expectsMask else { throw .protocolError }
        let short = Int(bytes[1] & 0x7F)
        if opcode.isControl, short > 125 { throw .protocolError }
        let lengthBytes = short == 126 ? 2 : short == 127 ? 8 : 0
        guard bytes.count >= 2 + lengthBytes else { return nil }
        var length = short
        if lengthBytes > 0 {
            let wide = bytes[2..<(2 + lengthBytes)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            guard wide >> 63 == 0, wide >= (lengthBytes == 2 ? 126 : 65_536) else { throw .protocolError }
            length = Int(wide)
        }
        if !opcode.isControl, length > messageLimit - (message?.bytes.count ?? 0) { throw .tooBig }
        let headCount = 2 + lengthBytes + (expectsMask ? 4 : 0)
        guard bytes.count == headCount else { return nil }
        return Head(opcode: opcode, isFinal: isFinal, left: length, mask: Array(bytes.suffix(expectsMask ? 4 : 0)))
    }

    private mutating func finish(_ head: Head, _ bytes: [UInt8]) throws(CloseCode) -> Event? {
        switch head.opcode {
        case .ping: return .ping(bytes)
        case .pong: return .pong(bytes)
        case .close: return try readClose(bytes)
        case .text, .binary: message = (head.opcode, bytes)
        case .continuation: message?.bytes += bytes
        }
        guard head.isFinal, let whole = message else { return nil }
        message = nil
        if whole.opcode == .text, String(validating: whole.bytes, as: UTF8.self) == nil { throw .invalidText }
        return .message(whole.opcode, whole.bytes)
    }

    private func readClose(_ bytes: [UInt8]) throws(CloseCode) -> Event {
        if bytes.isEmpty { return .close(nil, "") }
        guard bytes.count >= 2 else { throw .protocolError }
        let code = CloseCode(rawValue: UInt16(bytes[0]) << 8 | UInt16(bytes[1]))
        guard code.isAllowedOnWire else { throw .protocolError }
        guard let reason = String(validating: bytes.dropFirst(2), as: UTF8.self) else { throw .invalidText }
        return .close(code, reason)
    }
}

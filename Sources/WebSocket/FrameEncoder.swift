/// Encodes complete frames. A client must pass a masking key; a server must not.
package enum FrameEncoder {
    /// Appends one frame that holds the whole payload.
    ///
    /// - Parameter mask: the four bytes of the masking key; nil for a server.
    package static func append(
        _ opcode: Opcode, _ payload: [UInt8], mask: [UInt8]? = nil, into output: inout [UInt8]
    ) {
        precondition(!opcode.isControl || payload.count <= 125, "\(payload.count) bytes in a control frame")
        let isMasked = mask != nil
        output.append(addingCapacity: 10) { writeHead(opcode, payload.count, isMasked: isMasked, to: &$0) }
        guard let mask else { return output.append(contentsOf: payload) }
        var key = MaskingKey(mask)
        output.append(contentsOf: mask)
        key.apply(to: payload.span, appendingTo: &output)
    }

    private static func writeHead(_ opcode: Opcode, _ count: Int, isMasked: Bool, to output: inout OutputSpan<UInt8>) {
        output.append(0x80 | opcode.rawValue)
        let maskBit: UInt8 = isMasked ? 0x80 : 0
        switch count {
        case ..<126: output.append(maskBit | UInt8(truncatingIfNeeded: count))
        case ..<65_536:
            output.append(maskBit | 126)
            output.append(UInt8(truncatingIfNeeded: count >> 8))
            output.append(UInt8(truncatingIfNeeded: count))
        default:
            output.append(maskBit | 127)
            for shift in stride(from: 56, through: 0, by: -8) {
                output.append(UInt8(truncatingIfNeeded: count >> shift))
            }
        }
    }

    /// Appends a Close frame.
    ///
    /// - Parameter reason: shortened to fit into a control frame, without splitting a character.
    package static func appendClose(_ code: CloseCode, _ reason: String, into output: inout [UInt8]) {
        var bytes = [UInt8(code.rawValue >> 8), UInt8(truncatingIfNeeded: code.rawValue)]
        for scalar in reason.unicodeScalars {
            guard bytes.count + UTF8.width(scalar) <= 125 else { break }
            bytes.append(contentsOf: UTF8.encode(scalar) ?? .init())
        }
        append(.close, bytes, into: &output)
    }
}

/// Writes frames whole. A client's are masked with the key it is given, a server's are not.
package enum FrameEncoder {
    package static func append(
        _ opcode: Opcode, _ payload: [UInt8], mask: [UInt8]? = nil, into output: inout [UInt8]
    ) {
        output.append(0x80 | opcode.rawValue)
        let maskBit: UInt8 = mask == nil ? 0 : 0x80
        switch payload.count {
        case ..<126: output.append(maskBit | UInt8(payload.count))
        case ..<65_536:
            output.append(maskBit | 126)
            output.append(contentsOf: [UInt8(payload.count >> 8), UInt8(truncatingIfNeeded: payload.count)])
        default:
            output.append(maskBit | 127)
            for shift in stride(from: 56, through: 0, by: -8) {
                output.append(UInt8(truncatingIfNeeded: payload.count >> shift))
            }
        }
        guard let mask else { return output.append(contentsOf: payload) }
        precondition(mask.count == 4, "a mask of \(mask.count) bytes")
        output.append(contentsOf: mask)
        for (index, byte) in payload.enumerated() { output.append(byte ^ mask[index & 3]) }
    }

    package static func appendClose(_ code: CloseCode, _ reason: String, into output: inout [UInt8]) {
        let bytes = [UInt8(code.rawValue >> 8), UInt8(truncatingIfNeeded: code.rawValue)] + Array(reason.utf8)
        append(.close, Array(bytes.prefix(125)), into: &output)
    }
}

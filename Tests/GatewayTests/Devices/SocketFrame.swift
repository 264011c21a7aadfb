/// A frame of WebSocket as a client sends it, made by hand: the encoder refuses the wrong ones.
struct SocketFrame {
    var opcode: UInt8
    var payload: [UInt8] = []
    var isFinal = true
    var isMasked = true
    var reserved: UInt8 = 0
    /// The length that the head claims, if it is not the payload's.
    var claims: UInt64?

    init(_ opcode: UInt8, _ payload: [UInt8] = [], isFinal: Bool = true) {
        self.opcode = opcode
        self.payload = payload
        self.isFinal = isFinal
    }

    var bytes: [UInt8] {
        var bytes = [(isFinal ? 0x80 : 0) | reserved << 4 | opcode]
        let mask: UInt8 = isMasked ? 0x80 : 0
        let count = claims ?? UInt64(payload.count)
        switch count {
        case ..<126: bytes.append(mask | UInt8(count))
        case ..<65_536: bytes += [mask | 126, UInt8(count >> 8), UInt8(count & 255)]
        default: bytes += [mask | 127] + stride(from: 56, through: 0, by: -8).map { UInt8(count >> UInt64($0) & 255) }
        }
        let key: [UInt8] = [1, 2, 3, 4]
        if isMasked { bytes += key }
        return bytes + (isMasked ? payload.enumerated().map { $1 ^ key[$0 % 4] } : payload)
    }
}

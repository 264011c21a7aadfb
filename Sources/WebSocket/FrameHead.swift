/// The header of a frame.
struct FrameHead: Sendable {
    var opcode = Opcode.continuation
    var isFinal = false
    /// The bytes of the payload that have not been read.
    var left = 0
    /// The masking key, rotated so that its first byte belongs to the next byte of the payload. All zeros if the frame
    /// is not masked.
    var mask = MaskingKey()
}

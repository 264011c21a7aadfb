/// The header of a frame.
struct FrameHead: Sendable {
    var opcode = Opcode.continuation
    var isFinal = false
    /// The bytes of the payload that have not been read.
    var left = 0
    /// Rotated along with the bytes that were read. All zeros if the frame is not masked.
    var mask = MaskingKey()
}

/// What comes before a frame's payload.
struct FrameHead: Sendable {
    var opcode = Opcode.continuation
    var isFinal = false
    /// Bytes of the payload still to come.
    var left = 0
    /// Turned along with what was read; zeros where the frame is not masked.
    var mask = MaskingKey()
}

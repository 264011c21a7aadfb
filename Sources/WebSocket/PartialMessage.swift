/// A message that has not arrived completely.
struct PartialMessage: Sendable {
    /// The maximum memory to reserve for the length that a frame's header announces. The array of a longer message
    /// grows as the message arrives, so that a header alone cannot make the server allocate much.
    private static let largestReservation = 4 << 10

    let opcode: Opcode
    private(set) var bytes: [UInt8] = []
    private var text = UTF8Validator()

    /// - Parameter expected: the length of the first fragment.
    init(_ opcode: Opcode, expecting expected: Int) {
        self.opcode = opcode
        bytes.reserveCapacity(min(expected, PartialMessage.largestReservation))
    }

    /// Whether the message may end here: text must not end within a character.
    var mayEnd: Bool { opcode != .text || text.isBetweenCharacters }

    /// Appends a part of the payload. Throws at the first byte of a text message that is not valid UTF-8, before the
    /// message is complete.
    mutating func append(_ input: Span<UInt8>, unmaskedBy mask: inout MaskingKey) throws(CloseCode) {
        let start = bytes.count
        mask.apply(to: input, appendingTo: &bytes)
        guard opcode == .text else { return }
        var text = self.text
        guard text.accepts(bytes.span.extracting(start..<bytes.count)) else { throw .invalidText }
        self.text = text
    }
}

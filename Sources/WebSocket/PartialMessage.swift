/// A message whose last byte has not come.
struct PartialMessage: Sendable {
    /// How much is reserved on the word of a head alone. A longer message grows as it comes.
    private static let largestReservation = 4 << 10

    let opcode: Opcode
    private(set) var bytes: [UInt8] = []
    private var text = UTF8Validator()

    /// - Parameter expected: the length of the first fragment.
    init(_ opcode: Opcode, expecting expected: Int) {
        self.opcode = opcode
        bytes.reserveCapacity(min(expected, PartialMessage.largestReservation))
    }

    /// Whether it may end here: text must not do so within a character.
    var mayEnd: Bool { opcode != .text || text.isBetweenCharacters }

    /// Takes a part in; text is refused at the first byte that is no UTF-8, whatever is still to come.
    mutating func append(_ input: Span<UInt8>, unmaskedBy mask: inout MaskingKey) throws(CloseCode) {
        let start = bytes.count
        mask.apply(to: input, appendingTo: &bytes)
        guard opcode == .text else { return }
        var text = self.text
        guard text.accepts(bytes.span.extracting(start..<bytes.count)) else { throw .invalidText }
        self.text = text
    }
}

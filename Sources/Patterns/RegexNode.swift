/// A part of a regular expression.
indirect enum RegexNode {
    case empty
    case one(ScalarSet)
    case assertion(RegexAssertion)
    case sequence([RegexNode])
    case choice([RegexNode])
    /// - Parameter most: nil if there is no limit.
    case repeated(RegexNode, least: Int, most: Int?)

    /// The number of instructions that the part is compiled to, but at most `cap`.
    var size: Int {
        let size =
            switch self {
            case .empty: 0
            case .one, .assertion: 1
            case .sequence(let parts): parts.reduce(0) { min($0 &+ $1.size, Self.cap) }
            case .choice(let parts): parts.reduce(2 &* (parts.count &- 1)) { min($0 &+ $1.size, Self.cap) }
            case .repeated(let part, let least, let most): Self.size(of: part.size, least, most)
            }
        return min(size, Self.cap)
    }

    /// Larger than any expression that can be used, and small enough to be multiplied by a count.
    private static let cap = 1 << 20

    private static func size(of part: Int, _ least: Int, _ most: Int?) -> Int {
        if part == 0 { return 0 }
        guard let most else { return least == 0 ? part &+ 2 : least &* part &+ 1 }
        return least &* part &+ (most &- least) &* (part &+ 1)
    }
}

/// A condition for a place between two characters.
enum RegexAssertion {
    /// `^`
    case start
    /// `$`: only the end of the text, not a line break before it.
    case end
    /// `\b`
    case wordBoundary
    /// `\B`
    case noWordBoundary

    /// - Parameters:
    ///   - before: the character before the place; nil at the start of the text.
    ///   - after: the byte after the place; nil at the end of the text. The first byte is enough, because only ASCII
    ///     characters are part of a word.
    func holds(before: UInt32?, after: UInt8?) -> Bool {
        switch self {
        case .start: before == nil
        case .end: after == nil
        case .wordBoundary: Self.isInWord(before) != Self.isInWord(after.map { UInt32($0) })
        case .noWordBoundary: Self.isInWord(before) == Self.isInWord(after.map { UInt32($0) })
        }
    }

    private static func isInWord(_ scalar: UInt32?) -> Bool { scalar.map(ScalarSet.word.contains) ?? false }
}

/// What a text has to be.
package enum TextTest: Sendable {
    case equal(String)
    /// Letters match in either case.
    case equalIgnoringCase(String)
    /// Equal to the first text, or ending in the second.
    case equalOrEnding(String, String)
    case contains(TextPattern)
    case beginsWith(String)
    case matches(RegularExpression)

    /// How many steps the test takes for each character of a text.
    package var size: Int {
        switch self {
        case .matches(let expression): expression.size
        case .equal, .equalIgnoringCase, .equalOrEnding, .contains, .beginsWith: 0
        }
    }
}

/// The comparison of a text with a test. A long one can be done in portions.
package struct TextComparison {
    private var search: RegexSearch?

    package init() {}

    /// Goes on. Returns whether the text passes, or nil if `steps` ran out before that is known; then call it again with
    /// the same arguments.
    package mutating func advance(_ test: TextTest, _ text: String, steps: inout Int) -> Bool? {
        steps &-= 1 &+ text.utf8.count >> Self.bytesPerStep
        switch test {
        case .equal(let wanted): return text == wanted
        case .equalIgnoringCase(let wanted): return text.lowercased() == wanted.lowercased()
        case .equalOrEnding(let wanted, let ending): return text == wanted || text.hasSuffix(ending)
        case .contains(let pattern): return pattern.isContained(in: text.utf8Span.span)
        case .beginsWith(let wanted): return text.utf8.starts(with: wanted.utf8)
        case .matches(let expression):
            var current = search ?? RegexSearch(expression)
            search = nil
            let isFound = current.advance(in: text, steps: &steps)
            if isFound == nil { search = current }
            return isFound
        }
    }

    /// The binary logarithm of how many bytes are compared in the time of one step of a regular expression, roughly.
    private static let bytesPerStep = 6
}

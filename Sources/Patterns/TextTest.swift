/// A test that a text passes or fails.
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

/// Tests a text. If that takes long, it can be done in portions.
package struct TextComparison {
    private var search: RegexSearch?

    package init() {}

    /// Continues the test. Returns whether the text passes, or nil if `steps` ran out before that is known. Then call it
    /// again with the same test and text.
    package mutating func advance(_ test: TextTest, _ text: String, steps: inout Int) -> Bool? {
        steps &-= 1 &+ text.utf8.count >> Self.logOfBytesPerStep
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

    /// In the time of one step of a regular expression, about 64 bytes are compared. This is the binary logarithm of 64.
    private static let logOfBytesPerStep = 6
}

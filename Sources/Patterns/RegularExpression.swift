/// A regular expression that can be searched for in a text in time proportional to the length of the text, whatever the
/// expression and the text are: all alternatives are followed at once, and none is tried again.
///
/// It has no groups to refer to and no look-around, because those need time that grows exponentially. `\d`, `\w`, `\s`
/// and `\b` know ASCII only. A text matches if any part of it does.
package struct RegularExpression: Sendable {
    package let source: String
    let program: [RegexInstruction]

    /// The longest expression, in bytes.
    package static let longestSource = 1000
    /// The largest number of steps that an expression is compiled to. Each character of a text costs up to that many.
    package static let maximumSize = 1000

    /// Why a text is not an expression that can be used.
    package struct Problem: Error, Equatable {
        /// The number of the character that is wrong, from 1; nil if the expression as a whole is.
        package let position: Int?
        /// A clause, such as "'*' has nothing to repeat".
        package let reason: String

        /// Where and why, such as "character 3: '*' has nothing to repeat".
        package var sentence: String { position.map { "character \($0): \(reason)" } ?? reason }
    }

    package init(_ source: String) throws(Problem) {
        guard source.utf8.count <= Self.longestSource else {
            throw Problem(position: nil, reason: "it has more than \(Self.longestSource) bytes")
        }
        var parser = RegexParser(source)
        let root = try parser.parse()
        guard root.size <= Self.maximumSize else {
            throw Problem(
                position: nil,
                reason:
                    "it takes more than \(Self.maximumSize) steps, for which mostly counts such as {1,500} are the cause"
            )
        }
        self.source = source
        program = RegexCompiler.compile(root)
    }

    /// The number of steps that it is compiled to.
    package var size: Int { program.count }

    /// Whether the text has a part that matches. A `RegexSearch` does the same in portions.
    package func matches(_ text: String) -> Bool {
        var search = RegexSearch(self)
        while true {
            var steps = Int.max
            if let isFound = search.advance(in: text, steps: &steps) { return isFound }
        }
    }
}

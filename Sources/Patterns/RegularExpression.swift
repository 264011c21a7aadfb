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
    /// The largest `size`. A search takes up to that many steps for each character of the text.
    package static let maximumSize = 1000

    /// Why a text cannot be used as an expression.
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
        // The last step says that the expression matches.
        guard root.size < Self.maximumSize else {
            throw Problem(
                position: nil,
                reason: "it takes more than \(Self.maximumSize) steps; counts take many (a{1,500} takes 1000)")
        }
        self.source = source
        program = RegexCompiler.compile(root)
    }

    /// The number of steps that the expression is compiled to.
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

/// Reads a regular expression.
struct RegexParser {
    let scalars: [Unicode.Scalar]
    /// The index of the next character.
    var position = 0
    private var depth = 0

    private static let deepest = 50
    static let largestCount = 1000

    typealias Problem = RegularExpression.Problem

    init(_ source: String) { scalars = Array(source.unicodeScalars) }

    mutating func parse() throws(Problem) -> RegexNode {
        let root = try choice()
        guard peek == nil else { throw problem("the ')' has no '('; write \\) for a parenthesis") }
        return root
    }

    var peek: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    mutating func takes(_ scalar: Unicode.Scalar) -> Bool {
        guard peek == scalar else { return false }
        position &+= 1
        return true
    }

    /// - Parameter index: the index of the character that is wrong; the next one if it is nil.
    func problem(_ reason: String, at index: Int? = nil) -> Problem {
        Problem(position: (index ?? position) &+ 1, reason: reason)
    }

    private mutating func choice() throws(Problem) -> RegexNode {
        var parts = [try sequence()]
        while takes("|") { parts.append(try sequence()) }
        return parts.count == 1 ? parts[0] : .choice(parts)
    }

    private mutating func sequence() throws(Problem) -> RegexNode {
        var parts: [RegexNode] = []
        while let next = peek, next != "|", next != ")" {
            let start = position
            let part = try item()
            parts.append(try repetition(of: part, from: start))
        }
        return parts.count == 1 ? parts[0] : parts.isEmpty ? .empty : .sequence(parts)
    }

    private mutating func item() throws(Problem) -> RegexNode {
        let start = position
        guard let scalar = peek else { return .empty }
        position &+= 1
        switch scalar {
        case ".": return .one(.any)
        case "^": return .assertion(.start)
        case "$": return .assertion(.end)
        case "[": return .one(try bracket())
        case "(": return try group(from: start)
        case "\\": return try escaped()
        case "*", "+", "?":
            throw problem("'\(scalar)' has nothing to repeat; write \\\(scalar) for the character", at: start)
        case "{", "}": throw problem("'\(scalar)' has nothing to repeat; write \\\(scalar) for a brace", at: start)
        default: return .one(ScalarSet(scalar))
        }
    }

    private mutating func group(from start: Int) throws(Problem) -> RegexNode {
        depth &+= 1
        guard depth <= Self.deepest else {
            throw problem("groups are nested more than \(Self.deepest) deep", at: start)
        }
        if takes("?"), !takes(":") {
            throw problem("'(?' must be '(?:': look-around, names and flags are not supported", at: start)
        }
        let inner = try choice()
        guard takes(")") else { throw problem("the group has no ')'; write \\( for a parenthesis", at: start) }
        depth &-= 1
        return inner
    }

    private mutating func repetition(of part: RegexNode, from start: Int) throws(Problem) -> RegexNode {
        guard let scalar = peek, "*+?{".unicodeScalars.contains(scalar) else { return part }
        if case .assertion = part, scalars[start] != "(" { throw problem("'\(scalar)' has nothing to repeat") }
        position &+= 1
        let (least, most): (Int, Int?) =
            switch scalar {
            case "*": (0, nil)
            case "+": (1, nil)
            case "?": (0, 1)
            default: try counts(from: position &- 1)
            }
        // As in `a*?`: repeat as rarely as possible. Whether a text matches does not depend on that.
        _ = takes("?")
        if let again = peek, "*+?{".unicodeScalars.contains(again) {
            throw problem("'\(again)' repeats a repetition; put the first one into a group (?:…)")
        }
        return .repeated(part, least: least, most: most)
    }

    /// The numbers after `{`: `m}`, `m,}`, `,n}` or `m,n}`.
    private mutating func counts(from start: Int) throws(Problem) -> (Int, Int?) {
        let least = try number()
        var most = least
        if takes(",") { most = try number() } else if least == nil { throw malformed(start) }
        let isOpen = scalars[position &- 1] == ","
        guard takes("}") else { throw malformed(start) }
        if isOpen, least == nil { throw malformed(start) }
        if let least, let most, most < least, !isOpen {
            throw problem("{\(least),\(most)} is empty: the second number must not be smaller", at: start)
        }
        return (least ?? 0, isOpen ? nil : most)
    }

    private func malformed(_ start: Int) -> Problem {
        problem("the '{' does not begin a count such as {3}, {2,} or {2,5}; write \\{ for a brace", at: start)
    }

    private mutating func number() throws(Problem) -> Int? {
        let start = position
        var value: Int?
        while let digit = peek, ScalarSet.digits.contains(digit.value) {
            value = (value ?? 0) &* 10 &+ Int(digit.value &- 0x30)
            position &+= 1
            guard value ?? 0 <= Self.largestCount else {
                throw problem("a count is at most \(Self.largestCount)", at: start)
            }
        }
        return value
    }
}

/// Reads a regular expression.
struct RegexParser {
    private let scalars: [Unicode.Scalar]
    /// The index of the next character.
    private var position = 0
    private var depth = 0

    private static let deepest = 50
    static let largestCount = 1000

    typealias Problem = RegularExpression.Problem

    init(_ source: String) { scalars = Array(source.unicodeScalars) }

    mutating func parse() throws(Problem) -> RegexNode {
        let root = try choice()
        guard peek == nil else { throw problem("')' closes no group; write \\) for a parenthesis") }
        return root
    }

    private var peek: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    private mutating func takes(_ scalar: Unicode.Scalar) -> Bool {
        guard peek == scalar else { return false }
        position += 1
        return true
    }

    /// - Parameter index: the index of the character that is wrong; the next one if it is nil.
    private func problem(_ reason: String, at index: Int? = nil) -> Problem {
        Problem(position: (index ?? position) + 1, reason: reason)
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
        position += 1
        switch scalar {
        case ".": return .one(.any)
        case "^": return .assertion(.start)
        case "$": return .assertion(.end)
        case "[": return .one(try bracket())
        case "(": return try group(from: start)
        case "\\": return try escaped()
        case "*", "+", "?": throw problem("'\(scalar)' has nothing to repeat; write \\\(scalar) for the character", at: start)
        case "{", "}": throw problem("'\(scalar)' has nothing to repeat; write \\\(scalar) for a brace", at: start)
        default: return .one(ScalarSet(scalar))
        }
    }

    private mutating func group(from start: Int) throws(Problem) -> RegexNode {
        depth += 1
        guard depth <= Self.deepest else { throw problem("groups are nested more than \(Self.deepest) deep", at: start) }
        if takes("?"), !takes(":") {
            throw problem("'(?' must be '(?:': look-around, names and flags are not supported", at: start)
        }
        let inner = try choice()
        guard takes(")") else { throw problem("the group has no ')'; write \\( for a parenthesis", at: start) }
        depth -= 1
        return inner
    }

    private mutating func repetition(of part: RegexNode, from start: Int) throws(Problem) -> RegexNode {
        guard let scalar = peek, "*+?{".unicodeScalars.contains(scalar) else { return part }
        if case .assertion = part { throw problem("'\(scalar)' has nothing to repeat") }
        position += 1
        let (least, most): (Int, Int?) =
            switch scalar {
            case "*": (0, nil)
            case "+": (1, nil)
            case "?": (0, 1)
            default: try counts(from: position - 1)
            }
        // Which of several matches is found first makes no difference here.
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
        let isOpen = scalars[position - 1] == ","
        guard takes("}") else { throw malformed(start) }
        if isOpen, least == nil { throw malformed(start) }
        if let least, let most, most < least, !isOpen {
            throw problem("{\(least),\(most)} is empty: the second number must not be smaller", at: start)
        }
        return (least ?? 0, isOpen ? nil : most)
    }

    private func malformed(_ start: Int) -> Problem {
        problem("'{' begins no count such as {3}, {2,} or {2,5}; write \\{ for a brace", at: start)
    }

    private mutating func number() throws(Problem) -> Int? {
        let start = position
        var value: Int?
        while let digit = peek, ScalarSet.digits.contains(digit.value) {
            value = (value ?? 0) * 10 + Int(digit.value - 0x30)
            position += 1
            guard value ?? 0 <= Self.largestCount else {
                throw problem("a count is at most \(Self.largestCount)", at: start)
            }
        }
        return value
    }

    private mutating func escaped() throws(Problem) -> RegexNode {
        if takes("b") { return .assertion(.wordBoundary) }
        if takes("B") { return .assertion(.noWordBoundary) }
        return .one(try escape())
    }

    /// What follows `\`, inside and outside of brackets.
    private mutating func escape() throws(Problem) -> ScalarSet {
        let start = position - 1
        guard let scalar = peek else { throw problem("'\\' must have a character after it; write \\\\ for the character", at: start) }
        position += 1
        switch scalar {
        case "d": return .digits
        case "D": return ScalarSet.digits.inverted
        case "w": return .word
        case "W": return ScalarSet.word.inverted
        case "s": return .space
        case "S": return ScalarSet.space.inverted
        case "t": return ScalarSet("\t")
        case "n": return ScalarSet("\n")
        case "v": return ScalarSet("\u{B}")
        case "f": return ScalarSet("\u{C}")
        case "r": return ScalarSet("\r")
        case "x": return try hexadecimal(2, from: start)
        case "u": return try hexadecimal(4, from: start)
        case "1"..."9": throw problem("'\\\(scalar)' refers to a group, which is not supported", at: start)
        case "0", "A"..."Z", "a"..."z": throw problem("'\\\(scalar)' has no meaning", at: start)
        default: return ScalarSet(scalar)
        }
    }

    private mutating func hexadecimal(_ count: Int, from start: Int) throws(Problem) -> ScalarSet {
        let digits = scalars[position...].prefix(count)
        var text = ""
        text.unicodeScalars.append(contentsOf: digits)
        guard digits.count == count, text.utf8.allSatisfy({ Hexadecimal.contains($0) }), let value = UInt32(text, radix: 16),
            let scalar = Unicode.Scalar(value)
        else { throw problem("'\\\(scalars[position - 1])' needs \(count) hexadecimal digits of a character", at: start) }
        position += count
        return ScalarSet(scalar)
    }

    /// What follows `[`.
    private mutating func bracket() throws(Problem) -> ScalarSet {
        let start = position - 1
        let isInverted = takes("^")
        var ranges: [ClosedRange<UInt32>] = []
        while !takes("]") {
            let place = position
            let low = try bracketItem(from: start)
            guard peek == "-", position + 1 < scalars.count, scalars[position + 1] != "]" else {
                ranges += low.ranges
                continue
            }
            position += 1
            let high = try bracketItem(from: start)
            guard let from = low.only, let to = high.only else {
                throw problem("a range such as a-z must have a character at both ends", at: place)
            }
            guard from <= to else { throw problem("the range is empty: its end comes before its beginning", at: place) }
            ranges.append(from...to)
        }
        guard !ranges.isEmpty else { throw problem("the brackets are empty; write [\\]] for a bracket", at: start) }
        let set = ScalarSet(ranges)
        return isInverted ? set.inverted : set
    }

    private mutating func bracketItem(from start: Int) throws(Problem) -> ScalarSet {
        guard let scalar = peek else { throw problem("the '[' has no ']'; write \\[ for a bracket", at: start) }
        position += 1
        return scalar == "\\" ? try escape() : ScalarSet(scalar)
    }
}

extension ScalarSet {
    /// The character, if the set has only one.
    fileprivate var only: UInt32? { ranges.count == 1 && ranges[0].count == 1 ? ranges[0].lowerBound : nil }
}

/// The digits of hexadecimal numbers.
private enum Hexadecimal {
    static func contains(_ byte: UInt8) -> Bool {
        0x30...0x39 ~= byte || 0x61...0x66 ~= byte | 0x20
    }
}

/// Reading escapes and brackets.
extension RegexParser {
    mutating func escaped() throws(Problem) -> RegexNode {
        if takes("b") { return .assertion(.wordBoundary) }
        if takes("B") { return .assertion(.noWordBoundary) }
        return .one(try escape())
    }

    /// What follows `\`, inside and outside of brackets.
    private mutating func escape() throws(Problem) -> ScalarSet {
        let start = position &- 1
        guard let scalar = peek else {
            throw problem("'\\' must have a character after it; write \\\\ for the character", at: start)
        }
        position &+= 1
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
        guard digits.count == count, text.utf8.allSatisfy({ Hexadecimal.contains($0) }),
            let value = UInt32(text, radix: 16),
            let scalar = Unicode.Scalar(value)
        else {
            throw problem(
                "'\\\(scalars[position &- 1])' needs \(count) hexadecimal digits that are the code of a character",
                at: start)
        }
        position &+= count
        return ScalarSet(scalar)
    }

    /// What follows `[`.
    mutating func bracket() throws(Problem) -> ScalarSet {
        let start = position &- 1
        let isInverted = takes("^")
        var ranges: [ClosedRange<UInt32>] = []
        while !takes("]") {
            let place = position
            let low = try bracketItem(from: start)
            guard peek == "-", position &+ 1 < scalars.count, scalars[position &+ 1] != "]" else {
                ranges.append(contentsOf: low.ranges)
                continue
            }
            position &+= 1
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
        position &+= 1
        return scalar == "\\" ? try escape() : ScalarSet(scalar)
    }
}

/// The digits of hexadecimal numbers.
private enum Hexadecimal {
    static func contains(_ byte: UInt8) -> Bool {
        0x30...0x39 ~= byte || 0x61...0x66 ~= byte | 0x20
    }
}

/// A search for a regular expression in one text. It can be done in portions, so that a long text does not hold up the loop.
package struct RegexSearch: Sendable {
    private let program: [RegexInstruction]
    /// The steps that wait for the next character.
    private var waiting: [Int] = []
    private var next: [Int] = []
    /// The position at which each step was reached last. A step is not followed twice at the same position.
    private var reached: [Int]
    /// The offset of the next character in the text's UTF-8.
    private var position = 0
    /// The character before `position`.
    private var before: UInt32?
    private var pending: [Int] = []

    package init(_ expression: RegularExpression) {
        program = expression.program
        reached = Array(repeating: -1, count: program.count)
    }

    /// Continues the search. Returns whether the text matches, or nil if `steps` ran out before that is known. Then call it
    /// again with the same text. Each call subtracts the steps that it takes, and moves on by at least one character.
    package mutating func advance(in text: String, steps: inout Int) -> Bool? {
        let bytes = text.utf8Span.span
        repeat {
            let after = position < bytes.count ? bytes[position] : nil
            // A match may begin at any character.
            if reach(0, after, &steps) { return true }
            guard let after else { return false }
            let scalar = Self.scalar(at: &position, in: bytes, first: after)
            before = scalar
            let following = position < bytes.count ? bytes[position] : nil
            swap(&waiting, &next)
            waiting.removeAll(keepingCapacity: true)
            for step in next {
                steps &-= 1
                if accepts(scalar, program[step]), reach(step &+ 1, following, &steps) { return true }
            }
        } while steps > 0
        return nil
    }

    /// Follows the program from a step up to the steps that need a character. Returns whether the program has matched.
    private mutating func reach(_ first: Int, _ after: UInt8?, _ steps: inout Int) -> Bool {
        pending.append(first)
        while let step = pending.popLast() {
            steps &-= 1
            if reached[step] == position { continue }
            reached[step] = position
            switch program[step] {
            case .match: return true
            case .scalar, .one: waiting.append(step)
            case .jump(let target): pending.append(target)
            case .split(let one, let other):
                pending.append(other)
                pending.append(one)
            case .assertion(let assertion):
                if assertion.holds(before: before, after: after) { pending.append(step &+ 1) }
            }
        }
        return false
    }

    private func accepts(_ scalar: UInt32, _ instruction: RegexInstruction) -> Bool {
        switch instruction {
        case .scalar(let wanted): scalar == wanted
        case .one(let set): set.contains(scalar)
        case .assertion, .jump, .split, .match: false
        }
    }

    /// Reads the character at `position`, and moves `position` to the next one. The bytes come from a string, so they are
    /// valid UTF-8.
    private static func scalar(at position: inout Int, in bytes: Span<UInt8>, first: UInt8) -> UInt32 {
        position &+= 1
        let count = first < 0xC0 ? 0 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3
        guard count > 0 else { return UInt32(first) }
        var scalar = UInt32(first) & (0x3F >> UInt32(count))
        for _ in 0..<count where position < bytes.count {
            scalar = scalar << 6 | UInt32(bytes[position] & 0x3F)
            position &+= 1
        }
        return scalar
    }
}

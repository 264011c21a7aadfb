/// One step of a program that follows all ways through a regular expression at once. `Int`s are indices of other steps.
enum RegexInstruction: Sendable {
    /// The next character must be this one.
    case scalar(UInt32)
    /// The next character must be in the set.
    case one(ScalarSet)
    case assertion(RegexAssertion)
    case jump(Int)
    /// Both ways go on.
    case split(Int, Int)
    case match
}

/// Compiles a regular expression. The program ends with `match`.
struct RegexCompiler {
    private var program: [RegexInstruction] = []

    static func compile(_ root: RegexNode) -> [RegexInstruction] {
        var compiler = RegexCompiler()
        compiler.append(root)
        compiler.program.append(.match)
        return compiler.program
    }

    private mutating func append(_ node: RegexNode) {
        switch node {
        case .empty: break
        case .one(let set):
            program.append(set.only.map(RegexInstruction.scalar) ?? .one(set))
        case .assertion(let assertion): program.append(.assertion(assertion))
        case .sequence(let parts): for part in parts { append(part) }
        case .choice(let parts): appendChoice(parts)
        case .repeated(let part, let least, let most):
            // A part without steps adds nothing. Without this check, repeating it in nested counts, as in
            // `((?:){1000}){1000}`, would take for ever.
            guard part.size > 0 else { return }
            appendRepeated(part, least, most)
        }
    }

    private mutating func appendChoice(_ parts: [RegexNode]) {
        var jumps: [Int] = []
        for (index, part) in parts.enumerated() {
            guard index < parts.count &- 1 else {
                append(part)
                break
            }
            let split = reserve()
            append(part)
            jumps.append(reserve())
            program[split] = .split(split &+ 1, program.count)
        }
        for jump in jumps { program[jump] = .jump(program.count) }
    }

    private mutating func appendRepeated(_ part: RegexNode, _ least: Int, _ most: Int?) {
        var start = program.count
        for _ in 0..<least {
            start = program.count
            append(part)
        }
        guard let most else {
            if least > 0 { return program.append(.split(start, program.count &+ 1)) }
            let split = reserve()
            append(part)
            program.append(.jump(split))
            program[split] = .split(split &+ 1, program.count)
            return
        }
        var splits: [Int] = []
        for _ in least..<most {
            splits.append(reserve())
            append(part)
        }
        for split in splits { program[split] = .split(split &+ 1, program.count) }
    }

    /// Adds a step that is set when its target is known.
    private mutating func reserve() -> Int {
        program.append(.match)
        return program.count &- 1
    }
}

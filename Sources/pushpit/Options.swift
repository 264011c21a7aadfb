internal import Glibc
internal import PushCore

/// The options of one call: from the command line, else from the environment, else the table's default.
struct Options {
    private var given: [String: [String]] = [:]
    /// How the user named each: by its flag, or by its variable.
    private var names: [String: String] = [:]
    private let command: Command
    /// What is no option, in order; `-` is one.
    private(set) var operands: [String] = []

    init(_ arguments: [String], for command: Command) throws(ExitFailure) {
        self.command = command
        let known = command.options
        var rest = arguments[...]
        while let word = rest.popFirst() {
            if command.operands != nil, word == "-" || !word.hasPrefix("-") {
                operands.append(word)
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let option = known.first(where: { "--\($0.name)" == parts[0] }) else {
                let name = "'pushpit \(command.rawValue)'"
                throw .usage(
                    word.hasPrefix("-")
                        ? "'\(word)' is no option of \(name)" : "'\(word)' is too much: \(name) takes no arguments",
                    command)
            }
            if option.isFlag, parts.count == 1, rest.first.map({ !option.values.contains($0) }) ?? true {
                given[option.name, default: []].append("on")
                continue
            }
            guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else {
                throw .usage("--\(option.name) needs a <\(option.value)> behind it", command)
            }
            given[option.name, default: []].append(value)
        }
        for option in known where given[option.name] == nil {
            if let value = Self.environment(option.environmentName) {
                given[option.name] =
                    option.isList
                    ? value.split(separator: ",", omittingEmptySubsequences: false).map(String.init) : [value]
                names[option.name] = option.environmentName
            } else if let fallback = option.fallback {
                given[option.name] = [fallback]
            }
        }
    }

    /// All values, in order.
    func list(_ name: String) -> [String] { given[name] ?? [] }

    /// The last value; nil where there is none, and an empty one is refused.
    func text(_ name: String) throws(ExitFailure) -> String? {
        guard let value = list(name).last else { return nil }
        guard !value.isEmpty else { throw bad(name, value, "must not be empty") }
        return value
    }

    /// What is said of a value that is not good.
    func bad(_ name: String, _ value: String, _ remedy: String) -> ExitFailure {
        .usage("\(names[name] ?? "--" + name) '\(value)' \(remedy)", command)
    }

    private subscript(name: String) -> String { list(name).last ?? "" }

    func choice<Value: RawRepresentable & CaseIterable>(
        _ name: String, _ type: Value.Type
    ) throws(ExitFailure) -> Value where Value.RawValue == String {
        guard let value = Value(rawValue: self[name]) else {
            let values = Value.allCases.map(\.rawValue).joined(separator: ", ")
            throw bad(name, self[name], "must be one of \(values)")
        }
        return value
    }

    func number(_ name: String, _ range: ClosedRange<UInt32>) throws(ExitFailure) -> UInt32 {
        guard Self.isNumber(self[name]), let value = UInt32(self[name]), range.contains(value) else {
            throw bad(name, self[name], "must be a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    /// In milliseconds.
    func duration(_ name: String) throws(ExitFailure) -> UInt64 {
        guard let milliseconds = DurationText.milliseconds(self[name]) else {
            throw bad(name, self[name], "must be a duration like 250ms, 5s, 1m or 1h")
        }
        return milliseconds
    }

    /// Nil where it is not said.
    func optionalDuration(_ name: String) throws(ExitFailure) -> UInt64? {
        list(name).isEmpty ? nil : try duration(name)
    }

    /// Digits alone: Swift's numbers take a sign too.
    private static func isNumber(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { 0x30...0x39 ~= $0 }
    }

    private static func environment(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        let text = unsafe String(cString: value)
        return text.isEmpty ? nil : text
    }
}

enum Switch: String, CaseIterable { case on, off }
enum OverlongFields: String, CaseIterable {
    case reset
    case answer = "431"
}
enum Acceptance: String, CaseIterable { case accept, reject }
enum Quotas: String, CaseIterable { case off, real }
enum Spelling: String, CaseIterable { case wire, documented }

internal import Glibc
internal import PushCore

/// The options of one run. A value comes from the command line, otherwise from the environment, otherwise from
/// the default.
struct Options {
    private var valuesByName: [String: [String]] = [:]
    /// The environment variables that set options, for error messages.
    private var variables: [String: String] = [:]
    /// The names of the options on the command line.
    private let given: Set<String>
    let command: Command
    /// The arguments that are not options, in order. A single `-` (standard input) is such an argument.
    private(set) var operands: [String] = []

    /// - Parameter environment: looks up an environment variable.
    init(
        _ arguments: [String], for command: Command, environment: (String) -> String? = Options.processEnvironment
    ) throws(ExitFailure) {
        self.command = command
        let known = command.options
        var rest = arguments[...]
        while let word = rest.popFirst() {
            if word == Self.endOfOptions, command.operands != nil {
                operands += rest
                break
            }
            if command.endsOptionsAtArgument, !word.hasPrefix("-") {
                operands += [word] + rest
                break
            }
            if command.operands != nil, word == "-" || !word.hasPrefix("-") {
                operands.append(word)
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let option = known.first(where: { "--\($0.name)" == parts[0] }) else {
                let name = "'pushpit \(command.rawValue)'"
                throw .usage(
                    word.hasPrefix("-")
                        ? "'\(word)' is not an option of \(name)\(Self.guess(parts[0], known))"
                        : "'\(word)' is unexpected: \(name) takes no arguments",
                    command)
            }
            if option.isFlag, parts.count == 1, !(rest.first.map { command.takes($0, for: option) } ?? false) {
                valuesByName[option.name, default: []].append("on")
                continue
            }
            guard var value = parts.count == 2 ? parts[1] : Self.takeValue(&rest) else {
                throw .usage("--\(option.name) needs a value: --\(option.name) <\(option.value)>", command)
            }
            if option.isPair, option.values.contains(value), let second = Self.takeValue(&rest) {
                value += "=\(second)"
            }
            valuesByName[option.name, default: []].append(value)
        }
        given = Set(valuesByName.keys)
        for option in known where valuesByName[option.name] == nil {
            let name = option.environmentName
            if let value = environment(name), !value.isEmpty, !GatewayVariables.isSetByExec(name, in: environment) {
                valuesByName[option.name] =
                    option.isList
                    ? value.split(separator: ",", omittingEmptySubsequences: false).map(String.init) : [value]
                variables[option.name] = name
            } else if let value = option.defaultValue {
                valuesByName[option.name] = [value]
            }
        }
    }

    /// After this word, all arguments are operands, even if they begin with `-`.
    static let endOfOptions = "--"

    /// Which option was probably meant, as the end of an error; empty if the word resembles none.
    private static func guess(_ word: String, _ known: [Option]) -> String {
        let name = String(word.drop { $0 == "-" })
        let usual = usualNames[name].flatMap { usual in known.first { $0.name == usual }?.name }
        let guess = usual ?? NameGuesser(known.map(\.name), minLength: 4).guess(name)
        return guess.map { "; did you mean --\($0)?" } ?? ""
    }

    /// What other programs call an option, and its name here.
    private static let usualNames = ["port": "listen", "p": "listen", "host": "listen"]

    private static func takeValue(_ rest: inout ArraySlice<String>) -> String? {
        rest.first == endOfOptions ? nil : rest.popFirst()
    }

    /// The words that may be options: those before `--`, and before the first argument if that ends the options.
    static func leadingWords(_ words: ArraySlice<String>, of command: Command) -> ArraySlice<String> {
        let leading = words.prefix { $0 != endOfOptions }
        guard command.endsOptionsAtArgument else { return leading }
        var rest = leading
        while let word = rest.first, word.hasPrefix("-") {
            rest = rest.dropFirst()
            let option = command.options.first { "--\($0.name)" == word }
            if let option, !option.isFlag || option.values.contains(rest.first ?? "") {
                rest = rest.dropFirst(option.isPair && option.values.contains(rest.first ?? "") ? 2 : 1)
            }
        }
        return leading[..<rest.startIndex]
    }

    /// All values of an option, in order.
    func list(_ name: String) -> [String] { valuesByName[name] ?? [] }

    /// The last value; nil if the option is not set. An empty value is refused.
    func text(_ name: String) throws(ExitFailure) -> String? {
        guard let value = list(name).last else { return nil }
        guard !value.isEmpty else { throw invalid(name, value, "must not be empty") }
        return value
    }

    /// The last value of an option that becomes the value of a header field; nil if it is not set. The error does not
    /// show the value, which may be secret.
    func headerValue(_ name: String) throws(ExitFailure) -> String? {
        guard let value = try text(name) else { return nil }
        if let problem = HeaderText.problem(value) { throw .usage("\(label(name)) \(problem)", command) }
        return value
    }

    /// The last value; nil if it is the default or if the option is not set.
    func changed(_ name: String) -> String? {
        let usual = command.options.first { $0.name == name }?.defaultValue
        return list(name).last.flatMap { $0 == usual ? nil : $0 }
    }

    /// Whether the option is on the command line. If not, its value is from the environment, or it is the default.
    func isGiven(_ name: String) -> Bool { given.contains(name) }

    /// The error for an invalid value. It names the option, or the environment variable if the value is from one.
    func invalid(_ name: String, _ value: String, _ remedy: String) -> ExitFailure {
        .usage("\(label(name)) '\(value.onOneLine)' \(remedy)", command)
    }

    /// The option or the variable that the value came from.
    func label(_ name: String) -> String { variables[name] ?? "--" + name }

    private subscript(name: String) -> String { list(name).last ?? "" }

    func choice<Value: RawRepresentable & CaseIterable>(
        _ name: String, _ type: Value.Type
    ) throws(ExitFailure) -> Value where Value.RawValue == String {
        guard let value = Value(rawValue: self[name]) else {
            let values = Value.allCases.map(\.rawValue).joined(separator: ", ")
            throw invalid(name, self[name], "must be one of \(values)")
        }
        return value
    }

    func number(_ name: String, _ range: ClosedRange<UInt32>) throws(ExitFailure) -> UInt32 {
        guard Self.isNumber(self[name]), let value = UInt32(self[name]), range.contains(value) else {
            throw invalid(name, self[name], "must be a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    /// The value of a duration, in milliseconds.
    func duration(_ name: String) throws(ExitFailure) -> UInt64 {
        guard let milliseconds = DurationText.milliseconds(self[name]) else {
            throw invalid(name, self[name], "must be a duration like 250ms, 5s, 1m or 1h")
        }
        return milliseconds
    }

    /// The value of a duration without a default; nil if it is not set.
    func optionalDuration(_ name: String) throws(ExitFailure) -> UInt64? {
        list(name).isEmpty ? nil : try duration(name)
    }

    /// Whether the text has only digits; Swift's integers accept a sign too.
    private static func isNumber(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { 0x30...0x39 ~= $0 }
    }

    static func processEnvironment(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
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

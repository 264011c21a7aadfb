internal import Platform
internal import PushCore

/// Environment variables that look like options but set none, for example because of a typo.
enum UnknownVariables {
    private static let prefix = "PUSHPIT_"
    private static let known = Set(
        Option.table.map(\.environmentName) + GatewayVariables.names + PreloadVariables.names)
    private static let near = NameGuesser(known.sorted())

    /// Whether the variable is not meant for an option. Container engines set `PUSHPIT_PORT` and similar names if a
    /// service is called `pushpit`, `PUSHPIT_BINARY` tells tests where the program is, and docs/recipes keeps the
    /// directory of Pushpit's files in `PUSHPIT_HOME`.
    private static func isForOthers(_ name: String) -> Bool {
        ["PUSHPIT_PORT", "PUSHPIT_BINARY", "PUSHPIT_HOME"].contains(name)
            || ["PUSHPIT_PORT_", "PUSHPIT_SERVICE_"].contains(where: name.hasPrefix)
    }

    /// The unknown variables among these, each with what to do about it.
    static func find(in names: [String], for command: Command) -> [(name: String, remedy: String)] {
        let unknown = Set(names).filter { $0.hasPrefix(prefix) && !known.contains($0) && !isForOthers($0) }
        return unknown.sorted().map { name in
            let help = "'pushpit \(command.rawValue) --help' lists the variables of this command"
            return (name, near.guess(name).map { "did you mean \($0)?" } ?? help)
        }
    }

    /// The lines for stderr about this process's variables.
    static func warnings(for command: Command, in names: [String] = processNames()) -> [String] {
        find(in: names, for: command).map { "pushpit: warning: no option reads the variable \($0.name); \($0.remedy)" }
    }

    /// The names of this process's environment variables; empty if the system does not provide them.
    static func processNames() -> [String] {
        let bytes = (try? Files.read("/proc/self/environ")) ?? nil
        return (bytes ?? []).split(separator: 0).map { variable in
            String(decoding: variable.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
        }
    }
}

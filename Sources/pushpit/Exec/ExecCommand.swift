internal import Glibc
internal import PushCore
internal import Tracing

/// The command that `exec` runs, and what its end means.
struct ExecCommand {
    /// Its name and arguments.
    let words: [[UInt8]]

    /// Its name or path.
    var program: String { String(decoding: words.first ?? [], as: UTF8.self) }
    /// The name for messages.
    var name: String { program.onOneLine }

    /// The command with its arguments, as a shell takes it.
    var line: String {
        words.map { word in
            let text = String(decoding: word, as: UTF8.self)
            let isPlain = !text.isEmpty && text.utf8.allSatisfy(Self.plain.contains)
            return isPlain ? text : EnvText.quoted(text)
        }.joined(separator: " ").onOneLine
    }

    private static let plain = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:@%+,=".utf8)

    /// - Parameter count: how many of this process's last arguments are the command. They need not be UTF-8.
    static func ofThisProcess(lastArguments count: Int) -> ExecCommand {
        let all = unsafe UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
        return ExecCommand(
            words: unsafe all.suffix(count).compactMap { argument in
                unsafe argument.map { text in
                    unsafe UnsafeBufferPointer(start: text, count: strlen(text)).map { UInt8(bitPattern: $0) }
                }
            })
    }

    /// The codes of shells for a command that did not start.
    private static let notFound: Int32 = 127
    private static let notExecutable: Int32 = 126
    /// Added to the number of the signal that ended the command.
    static let signalBase: Int32 = 128
    private static let systemError: Int32 = 71

    /// How the program ends after the command; nil means with 0.
    func failure(_ end: CommandEnd) -> ExitFailure? {
        switch end {
        case .exited(0): nil
        case .exited(let code): ExitFailure(code: code, message: nil)
        case .killed(let signal):
            ExitFailure(code: Self.signalBase &+ signal, message: "'\(name)' was ended by signal \(signal)")
        case .notExecuted(let error): notExecuted(error)
        case .notSupervised(let error):
            .unavailable("this system does not allow a supervisor for '\(name)' (\(Self.text(error))); use --via proxy")
        case .notStarted(let error):
            ExitFailure(code: Self.systemError, message: "cannot start '\(name)': \(Self.text(error))")
        case .lost:
            ExitFailure(
                code: Self.systemError,
                message: "the process that watches '\(name)' was killed, so the command was ended too")
        }
    }

    private func notExecuted(_ error: Int32) -> ExitFailure {
        let isPath = name.contains("/")
        return switch error {
        case ENOENT where name.isEmpty:
            ExitFailure(
                code: Self.notFound, message: "the command is empty: perhaps a shell variable in it is not set")
        case EACCES where Self.isDirectory(program):
            ExitFailure(code: Self.notExecutable, message: "cannot run '\(name)': it is a directory")
        case ENOENT where isPath:
            ExitFailure(
                code: Self.notFound,
                message: "cannot run '\(name)': there is no such file, or its interpreter is missing")
        case ENOENT: ExitFailure(code: Self.notFound, message: "cannot run '\(name)': no directory in PATH has it")
        case EACCES:
            ExitFailure(
                code: Self.notExecutable,
                message: "cannot run '\(name)': it is not an executable file; 'chmod +x' makes a script one")
        default: ExitFailure(code: Self.notExecutable, message: "cannot run '\(name)': \(Self.text(error))")
        }
    }

    private static func isDirectory(_ path: String) -> Bool {
        var info = stat()
        return unsafe stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
    }

    private static func text(_ error: Int32) -> String { unsafe String(cString: strerror(error)) }
}

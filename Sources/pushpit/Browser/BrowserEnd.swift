internal import Browsers
internal import Glibc
internal import PushCore
internal import Tracing

/// What the end of a browser means for the program's exit code.
struct BrowserEnd {
    private let program: String
    private let browser: Browser
    private let profile: String
    private let watch: BrowserWatch

    init(of program: String, _ browser: Browser, profile: String, _ watch: BrowserWatch) {
        self.program = program
        self.browser = browser
        self.profile = profile
        self.watch = watch
    }

    /// The signals that ask a browser to end. Firefox has no handlers for them.
    private static let requests = [SIGTERM, SIGINT, SIGHUP]
    /// How many of the browser's own lines an error shows.
    private static let shownLines = 5

    /// Nil if somebody closed its window, or asked it or this program to end.
    func failure(_ end: CommandEnd) -> ExitFailure? {
        let name = browser.name
        if watch.wasTooSlow {
            return failed(
                "did not start within \(watch.patience / 1000) s. If it is a snap, leave out --profile and --program")
        }
        switch end {
        case .exited(0) where watch.hasStarted: return nil
        case .killed(let signal) where Self.requests.contains(signal): return nil
        case .exited(let code) where watch.hasStarted:
            return ExitFailure(code: 69, message: "\(name) ended with the code \(code)")
        case .exited(let code):
            let known = BrowserFailure.find(in: watch.lines)?.sentence(profile: profile.onOneLine)
            return known.map { ExitFailure(code: 69, message: "\(name) \($0)") }
                ?? failed("ended with the code \(code) before it had started")
        case .killed, .notExecuted, .notSupervised, .notStarted, .lost:
            return ExecCommand(words: [Array(program.utf8)]).failure(end)
        }
    }

    /// An error with the browser's own last lines.
    private func failed(_ what: String) -> ExitFailure {
        let lines = watch.lines.filter { !$0.isEmpty }.suffix(Self.shownLines).map(\.onOneLine)
        return ExitFailure(
            code: 69, message: "\(browser.name) \(what)\(lines.isEmpty ? "" : "; it says:")",
            details: Array(lines))
    }
}

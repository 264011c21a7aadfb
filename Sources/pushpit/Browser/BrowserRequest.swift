internal import Browsers
internal import Glibc
internal import Platform
internal import PushCore

/// What the command line of `browser` asks for. Everything that the user can get wrong is checked before anything starts.
struct BrowserRequest {
    let browser: Browser
    let page: PageAddress?
    let program: BrowserProgram
    /// The directory of a profile to keep; nil for a new one.
    let profile: String?
    let isHeadless: Bool

    init(_ options: Options) throws(ExitFailure) {
        let names = Browser.allCases.map(\.rawValue).joined(separator: " or ")
        guard let name = options.operands.first else { throw .usage("browser needs \(names)", .browser) }
        guard let browser = Browser(rawValue: name) else {
            throw .usage(
                "'\(name.onOneLine)' must be \(names); --program names the program of another browser of that kind",
                .browser)
        }
        if let extra = options.operands.dropFirst(2).first {
            throw .usage("'\(extra.onOneLine)' is unexpected: browser takes one URL", .browser)
        }
        self.browser = browser
        page = try Self.page(options.operands.dropFirst().first)
        profile = try options.text("profile").map(Files.absolute)
        isHeadless = try options.choice("headless", Switch.self) == .on
        program = try Self.program(browser, options)
    }

    private static func page(_ url: String?) throws(ExitFailure) -> PageAddress? {
        guard let url else { return nil }
        do throws(PageAddress.Problem) { return try PageAddress(url) } catch {
            throw .usage("the URL '\(url.onOneLine)' \(error.reason)", .browser)
        }
    }

    private static func program(_ browser: Browser, _ options: Options) throws(ExitFailure) -> BrowserProgram {
        guard let path = try options.text("program") else {
            let path = Variables.ofThisProcess["PATH"] ?? ""
            guard let program = BrowserProgram.find(browser, in: path, head: executableHead) else {
                throw .unavailable(BrowserProgram.missing(browser))
            }
            return program
        }
        let file = Files.absolute(path)
        guard let head = executableHead(file) else {
            throw options.invalid(
                "program", path, "must be the path of an executable file, like /usr/bin/\(browser.rawValue)")
        }
        return BrowserProgram(path: file, head: head, of: browser)
    }

    /// The first bytes of an executable file.
    private static func executableHead(_ path: String) -> [UInt8]? {
        guard unsafe access(path, X_OK) == 0, let head = Files.beginning(of: path, BrowserProgram.headSize),
            !head.isEmpty
        else { return nil }
        return head
    }
}

internal import PushCore

/// What a browser's own words mean if it ends at once.
package enum BrowserFailure: CaseIterable, Sendable {
    case profileInUse, noDisplay, noSandbox, hiddenProfile, foreignHome

    /// Parts of what browsers print.
    private var words: [String] {
        switch self {
        case .profileInUse:
            [
                "SingletonLock: File exists", "profile appears to be in use by another",
                "Opening in existing browser session", "is already running, but is not responding",
            ]
        case .noDisplay:
            [
                "Missing X server or $DISPLAY", "no DISPLAY environment variable", "cannot open display",
                "The platform failed to initialize",
            ]
        case .noSandbox: ["No usable sandbox", "Running as root without --no-sandbox"]
        case .hiddenProfile: ["Failed to create a ProcessSingleton"]
        case .foreignHome: ["as root in a regular user's session"]
        }
    }

    package static func find(in lines: [String]) -> BrowserFailure? {
        allCases.first { failure in failure.words.contains { words in lines.contains { $0.includes(words) } } }
    }

    /// What happened and what to do, as the end of a sentence that begins with the browser's name.
    package func sentence(profile: String) -> String {
        switch self {
        case .profileInUse:
            "already runs with the profile \(profile): close it, or name another directory with --profile"
        case .noDisplay: "has no display for its window: add --headless"
        case .noSandbox:
            "can't use its sandbox: install the package chromium-sandbox, or allow user namespaces to this user"
        case .hiddenProfile:
            "can't use the profile \(profile). If the browser is a snap, leave out --profile: it sees only its own directory, "
                + "~/snap/NAME/common"
        case .foreignHome: "does not run as root with the home directory of another user: set HOME to root's"
        }
    }
}

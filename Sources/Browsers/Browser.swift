/// A browser that can get its pushes from a gateway.
package enum Browser: String, CaseIterable, Sendable {
    case chromium, firefox

    /// Its name for people.
    package var name: String {
        switch self {
        case .chromium: "Chromium"
        case .firefox: "Firefox"
        }
    }

    /// The programs to look for, the best one first. Edge and Brave get their pushes elsewhere.
    package var programs: [String] {
        switch self {
        case .chromium: ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "google-chrome-beta"]
        case .firefox: ["firefox", "firefox-esr"]
        }
    }

    /// Debian's package.
    package var debianPackage: String {
        switch self {
        case .chromium: "chromium"
        case .firefox: "firefox-esr"
        }
    }

    /// The protocol over which test programs control it.
    package var remoteControl: String {
        switch self {
        case .chromium: "DevTools"
        case .firefox: "BiDi"
        }
    }

    /// What it prints before the address of its remote control.
    var announcement: String {
        switch self {
        case .chromium: "DevTools listening on "
        case .firefox: "WebDriver BiDi listening on "
        }
    }
}

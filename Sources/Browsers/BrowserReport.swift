/// What is printed when a browser has started. The words at the beginning of the first lines are for scripts.
package struct BrowserReport: Sendable {
    package let browser: Browser
    package let program: String
    package let page: PageAddress?
    /// The directory of a profile that is kept; nil for a temporary one.
    package let profile: String?
    package let gateway: String
    /// Whether the gateway ends with the browser.
    package let gatewayEnds: Bool
    /// The command that leads the pushes of another command to this gateway.
    package let exec: String

    package init(
        _ browser: Browser, program: String, page: PageAddress?, profile: String?, gateway: String, gatewayEnds: Bool,
        exec: String
    ) {
        self.browser = browser
        self.program = program
        self.page = page
        self.profile = profile
        self.gateway = gateway
        self.gatewayEnds = gatewayEnds
        self.exec = exec
    }

    package func lines(_ remote: RemoteAddress) -> [String] {
        let rows = [
            (browser.name, program), ("Page", page?.url), ("Profile", profile),
            ("Gateway", "\(gateway)\(gatewayEnds ? " (ends with the browser)" : "")"),
            (browser.remoteControl, remote.url),
        ]
        let table = rows.compactMap { name, value in value.map { "\(Self.padded(name))\($0)" } }
        return [table, notes(remote)].flatMap(\.self)
    }

    /// All names have fewer letters than this.
    private static let column = 11

    private static func padded(_ name: String) -> String {
        var text = name
        while text.utf8.count < column { text += " " }
        return text
    }

    private func notes(_ remote: RemoteAddress) -> [String] {
        switch browser {
        case .chromium:
            [
                "  Its pages have endpoints at Google. This redirects your backend's pushes to the gateway:",
                "    \(exec)",
                "  Playwright: chromium.connect_over_cdp(\"\(remote.url)\").contexts[0].pages[0]",
                "  Pages of new_context() are incognito and can't subscribe.",
            ]
        case .firefox:
            ["  Puppeteer: puppeteer.connect({browserWSEndpoint: \"\(remote.url)\", protocol: \"webDriverBiDi\"})"]
        }
    }
}

import Testing

@testable import Browsers

@Suite struct BrowserReportTests {
    private func report(_ browser: Browser, page: PageAddress? = nil, profile: String? = nil, ends: Bool)
        -> BrowserReport
    {
        BrowserReport(
            browser, program: "/usr/bin/x", page: page, profile: profile, gateway: "http://127.0.0.1:2197",
            gatewayEnds: ends,
            exec: "pushpit exec -- COMMAND")
    }

    @Test func `Chromium's report has the address for Playwright`() throws {
        let remote = try #require(RemoteAddress(.chromium, announced: "ws://127.0.0.1:9/devtools/browser/x"))
        let page = try PageAddress("http://localhost:3000")
        #expect(
            report(.chromium, page: page, profile: "/p", ends: false).lines(remote) == [
                "Chromium   /usr/bin/x", "Page       http://localhost:3000", "Profile    /p",
                "Gateway    http://127.0.0.1:2197", "DevTools   http://127.0.0.1:9",
                "  Its pages have endpoints at Google. This redirects your backend's pushes to the gateway:",
                "    pushpit exec -- COMMAND",
                "  Playwright: chromium.connect_over_cdp(\"http://127.0.0.1:9\").contexts[0].pages[0]",
                "  Pages of new_context() are incognito and can't subscribe.",
            ])
    }

    @Test func `Firefox's report has the address for Puppeteer`() throws {
        let remote = try #require(RemoteAddress(.firefox, announced: "ws://127.0.0.1:9"))
        #expect(
            report(.firefox, ends: true).lines(remote) == [
                "Firefox    /usr/bin/x", "Gateway    http://127.0.0.1:2197 (ends with the browser)",
                "BiDi       ws://127.0.0.1:9/session",
                "  Puppeteer: puppeteer.connect({browserWSEndpoint: \"ws://127.0.0.1:9/session\", protocol: \"webDriverBiDi\"})",
            ])
    }
}

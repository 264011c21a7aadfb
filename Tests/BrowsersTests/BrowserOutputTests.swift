import Testing

@testable import Browsers

@Suite struct BrowserOutputTests {
    private static let chromium = """

        [1:2:1127/000741.064862:ERROR:dbus/bus.cc:408] Failed to connect to the bus
        DevTools listening on ws://127.0.0.1:38031/devtools/browser/0a1b2c3d-0000-4000-8000-000000000000
        DevTools listening on ws://127.0.0.1:1/devtools/browser/later

        """
    private static let firefox =
        "*** You are running in headless mode.\nWebDriver BiDi listening on ws://127.0.0.1:46295\n"

    @Test(arguments: [
        (Browser.chromium, chromium, "http://127.0.0.1:38031"), (.firefox, firefox, "ws://127.0.0.1:46295/session"),
    ]) func `the first address counts, however the output is cut`(browser: Browser, text: String, url: String) {
        for size in [1, 2, 7, text.utf8.count] {
            var output = BrowserOutput(of: browser)
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                output.receive(rest.prefix(size))
                rest = rest.dropFirst(size)
            }
            #expect(output.address?.url == url)
        }
    }

    @Test(arguments: [
        "DevTools listening on ws://127.0.0.1:38031/devtools/browser/x", "x DevTools listening on ws://127.0.0.1:1/\n",
        "DevTools listening on http://127.0.0.1:1/\n", "DevTools listening on ws://127.0.0.1/\n",
        "DevTools listening on ws://127.0.0.1:0/\n", "DevTools listening on ws://127.0.0.1:65536/\n",
        "DevTools listening on \n", "WebDriver BiDi listening on ws://127.0.0.1:46295\n",
    ]) func `other lines and half a line have no address`(text: String) {
        var output = BrowserOutput(of: .chromium)
        output.receive(text.utf8)
        #expect(output.address == nil)
    }

    @Test func `only the last lines are kept, and only the beginning of a long one`() {
        var output = BrowserOutput(of: .firefox)
        for number in 0..<100 { output.receive("line \(number)\n".utf8) }
        output.receive([UInt8](repeating: 0x61, count: 100_000) + [0x0A])
        #expect((output.lines.count, output.lines.first, output.lines.last?.utf8.count) == (40, "line 61", 1024))
    }
}

import Testing

@testable import Browsers

@Suite struct BrowserProgramTests {
    private func find(_ browser: Browser, in files: [String: String], path: String = "/a:/b") -> BrowserProgram? {
        BrowserProgram.find(browser, in: path) { file in files[file].map { Array($0.utf8) } }
    }

    @Test func `the best name counts before the first directory`() {
        #expect(find(.chromium, in: ["/a/google-chrome": "", "/b/chromium": ""])?.path == "/b/chromium")
        #expect(find(.firefox, in: ["/a/firefox-esr": "", "/b/x": ""])?.path == "/a/firefox-esr")
        #expect(find(.firefox, in: ["/a/chromium": ""]) == nil)
    }

    @Test(arguments: [
        ("/snap/bin/chromium", "\u{7F}ELF", true),
        ("/usr/bin/chromium-browser", "#!/bin/sh\nexec /snap/bin/chromium \"$@\"", true),
        ("/usr/bin/chromium", "#!/bin/sh\nexec /usr/lib/chromium/chromium", false),
        ("/usr/bin/firefox", "\u{7F}ELF /snap/bin/", false),
    ]) func `a snap keeps its profile in its own directory`(path: String, head: String, isSnap: Bool) {
        let program = BrowserProgram(path: path, head: Array(head.utf8), of: .chromium)
        let parent = program.parent(home: "/home/ann", temporary: "/tmp")
        #expect(parent == (isSnap ? "/home/ann/snap/chromium/common" : "/tmp"))
    }

    @Test func `the error names the programs and Debian's package`() {
        let text = BrowserProgram.missing(.firefox)
        #expect(
            text == "no directory in PATH has Firefox (firefox, firefox-esr): install it, on Debian with "
                + "'apt-get install firefox-esr', or name its program with --program")
    }
}

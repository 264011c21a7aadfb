import Testing

@testable import Browsers

/// What the browsers of Debian 12 print, and what it means.
@Suite struct BrowserFailureTests {
    @Test(
        arguments: [
            (
                "Failed to create /p/SingletonLock: File exists (17)\nFailed to create a ProcessSingleton for your profile directory.",
                .profileInUse
            ),
            ("Opening in existing browser session.", .profileInUse),
            ("Firefox is already running, but is not responding. To use Firefox, you must first close", .profileInUse),
            ("ERROR:ui/ozone/platform/x11/ozone_platform_x11.cc:249] Missing X server or $DISPLAY", .noDisplay),
            ("Error: no DISPLAY environment variable specified", .noDisplay),
            ("FATAL:zygote_host_impl_linux.cc(127)] No usable sandbox!", .noSandbox),
            ("Failed to create a ProcessSingleton for your profile directory.", .hiddenProfile),
            ("Running Firefox as root in a regular user's session is not supported.", .foreignHome),
            ("Segmentation fault", nil), ("", nil),
        ] as [(String, BrowserFailure?)]) func `a browser's words have a meaning`(
            text: String, failure: BrowserFailure?
        )
    {
        let lines = text.split(separator: "\n").map(String.init)
        #expect(BrowserFailure.find(in: ["[1:2] Noise"] + lines) == failure)
    }

    @Test(arguments: BrowserFailure.allCases) func `every sentence has a remedy`(failure: BrowserFailure) {
        #expect(failure.sentence(profile: "/p").contains(#/: (close|add|install|set) |, leave out /#))
    }
}

import Testing

@testable import Browsers

/// What is written and run for each browser.
@Suite struct BrowserPlanTests {
    private func setup(
        _ url: String?, _ trust: BrowserSetup.Trust = .none, isHeadless: Bool = false, isRoot: Bool = false
    ) throws -> BrowserSetup {
        BrowserSetup(
            profile: "/p", page: try url.map { try PageAddress($0) },
            gateway: BrowserSetup.Gateway(address: "127.0.0.1:2197", trust: trust), isHeadless: isHeadless,
            isRoot: isRoot, start: 1234)
    }

    private func files(_ browser: Browser, _ setup: BrowserSetup, old: String? = nil) throws -> [String: String] {
        let plan = try BrowserPlan(browser, setup) { _ in old.map { Array($0.utf8) } }
        return Dictionary(uniqueKeysWithValues: plan.files.map { ($0.path, String(decoding: $0.bytes, as: UTF8.self)) })
    }

    @Test func `Chromium gets a rule for each host and the authority's key`() throws {
        let setup = try setup("http://localhost:3000/a", .authority(keyHash: [UInt8](repeating: 0xFB, count: 32)))
        let plan = try BrowserPlan(.chromium, setup) { _ in nil }
        #expect(
            plan.arguments == [
                "--user-data-dir=/p", "--remote-debugging-port=0",
                "--host-resolver-rules=MAP android.clients.google.com 127.0.0.1:2197,MAP mtalk.google.com 127.0.0.1:2197,"
                    + "MAP firebaseinstallations.googleapis.com 127.0.0.1:2197,MAP fcmregistrations.googleapis.com "
                    + "127.0.0.1:2197,MAP fcm.googleapis.com 127.0.0.1:2197,MAP jmt17.google.com 127.0.0.1:2197",
                "--ignore-certificate-errors-spki-list=+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/s=",
                "--no-first-run", "--no-default-browser-check", "--password-store=basic", "--test-type",
                "http://localhost:3000/a",
            ])
    }

    @Test(arguments: Browser.allCases) func `the page comes last, after the switches for this user`(browser: Browser)
        throws
    {
        let plan = try BrowserPlan(browser, try setup(nil, isHeadless: true, isRoot: true)) { _ in nil }
        let tail =
            browser == .chromium ? ["--headless=new", "--no-sandbox", "about:blank"] : ["--headless", "about:blank"]
        #expect(Array(plan.arguments.suffix(tail.count)) == tail)
    }

    @Test func `Firefox opens the page a moment later, when it can subscribe`() throws {
        var setup = try setup("http://localhost:3000/a?</script>'\"")
        setup.profile = "/p q/é"
        let plan = try BrowserPlan(.firefox, setup) { _ in nil }
        #expect(plan.arguments.last == "file:///p%20q/%c3%a9/waiting.html")
        let page = try files(.firefox, setup)["waiting.html"] ?? ""
        #expect(page.contains("Math.max(1000, Date.now() - 1234)"), "\(page)")
        #expect(page.contains(#"location.replace("http://localhost:3000/a?\u003C/script>'\"")"#), "\(page)")
    }

    @Test(
        arguments: [
            (
                nil,
                #"{"profile":{"content_settings":{"exceptions":{"notifications":{"http://localhost:3000,*":{"setting":1}}}}}}"#
            ),
            (
                #"{"a":1,"profile":{"b":[2],"content_settings":{"exceptions":{"notifications":{"http://c,*":{"setting":2}}}}}}"#,
                #"{"a":1,"profile":{"b":[2],"content_settings":{"exceptions":{"notifications":{"http://c,*":{"setting":2},"http://localhost:3000,*":{"setting":1}}}}}}"#
            ),
            (
                #"{"profile":{"content_settings":{"exceptions":{"notifications":{"http://localhost:3000,*":{"setting":2,"x":3}}}}}}"#,
                #"{"profile":{"content_settings":{"exceptions":{"notifications":{"http://localhost:3000,*":{"x":3,"setting":1}}}}}}"#
            ),
            (
                #"{"profile":[]}"#,
                #"{"profile":{"content_settings":{"exceptions":{"notifications":{"http://localhost:3000,*":{"setting":1}}}}}}"#
            ),
        ] as [(String?, String)]) func `Chromium's other settings stay`(old: String?, new: String) throws
    {
        #expect(try files(.chromium, try setup("http://localhost:3000/"), old: old) == ["Default/Preferences": new])
    }

    @Test func `without a page all pages may show notifications`() throws {
        let chromium = try files(.chromium, try setup(nil))
        #expect(
            chromium == ["Default/Preferences": #"{"profile":{"default_content_setting_values":{"notifications":1}}}"#])
        let firefox = try #require(try files(.firefox, try setup(nil))["user.js"])
        #expect(firefox.contains(#"user_pref("permissions.default.desktop-notification", 1);"#))
        #expect(!firefox.contains("defaultsUrl"))
    }

    @Test func `settings that are not JSON are an error`() throws {
        let setup = try setup(nil)
        #expect(throws: BrowserPlan.Problem(path: "Default/Preferences", reason: "is not valid JSON")) {
            try files(.chromium, setup, old: "{")
        }
    }

    @Test func `Firefox's other preferences stay`() throws {
        let old = """
            // mine
            user_pref("a.b", "c");
            user_pref("dom.push.serverURL", "wss://elsewhere/");

            """
        let new = try files(.firefox, try setup("https://shop.test/x"), old: old)
        #expect(
            new["user.js"] == """
                // mine
                user_pref("a.b", "c");
                user_pref("dom.push.serverURL", "ws://127.0.0.1:2197/");
                user_pref("dom.push.testing.allowInsecureServerURL", true);
                user_pref("dom.push.connection.enabled", true);
                user_pref("alerts.useSystemBackend", false);
                user_pref("permissions.manager.defaultsUrl", "data:text/plain,origin%09desktop-notification%091%09https://shop.test%0A");

                """)
        #expect(try files(.firefox, try setup("https://shop.test/x"), old: new["user.js"]) == new)
    }

    @Test func `Firefox trusts the server's certificate by its digest`() throws {
        let files = try files(.firefox, try setup(nil, .server(fingerprint: [0x00, 0x0A, 0xFF])))
        #expect(files["cert_override.txt"] == "127.0.0.1:2197:\tOID.2.16.840.1.101.3.4.2.1\t00:0A:FF\t\n")
        #expect(files["user.js"]?.contains(#""wss://127.0.0.1:2197/""#) == true)
    }
}

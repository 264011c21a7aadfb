internal import JSON
internal import PushCore

/// How Chromium is led to a gateway: by switches, and by its settings for the permission.
struct ChromiumPlan {
    let setup: BrowserSetup

    /// Google's hosts that the browser itself and Firebase's SDK in a page connect to. A rule covers all ports of its host.
    static let hosts = [
        "android.clients.google.com", "mtalk.google.com", "firebaseinstallations.googleapis.com",
        "fcmregistrations.googleapis.com", "fcm.googleapis.com", "jmt17.google.com",
    ]

    var arguments: [String] {
        let rules = Self.hosts.map { "MAP \($0) \(setup.gateway.address)" }.joined(separator: ",")
        return [
            ["--user-data-dir=\(setup.profile)", "--remote-debugging-port=0", "--host-resolver-rules=\(rules)"], trust,
            // It keeps no passwords here, so it need not ask for those of the desktop.
            ["--no-first-run", "--no-default-browser-check", "--password-store=basic"],
            // Without it, a bar in the window warns of the rules for hosts.
            ["--test-type"], setup.isHeadless ? ["--headless=new"] : [], setup.isRoot ? ["--no-sandbox"] : [],
            [setup.page?.url ?? "about:blank"],
        ].flatMap(\.self)
    }

    /// Chromium hashes the keys of all certificates that the gateway sends, and the authority's is one of them.
    private var trust: [String] {
        guard case .authority(let hash) = setup.gateway.trust else { return [] }
        return ["--ignore-certificate-errors-spki-list=\(Base64URL.encodeStandard(hash))"]
    }

    /// The settings of the profile, with the permission for notifications.
    func preferences(changing old: [UInt8]?) throws(ProfileProblem) -> [UInt8] {
        let path = setup.page.map { page in
            ["profile", "content_settings", "exceptions", "notifications", "\(page.origin),*", "setting"]
        }
        return try ChromiumPreferences.setting(
            path ?? ["profile", "default_content_setting_values", "notifications"], in: old)
    }
}

internal import JSON
internal import PushCore

/// How Firefox is led to a gateway: by its preferences, and by an exception for the gateway's certificate.
struct FirefoxPlan {
    let setup: BrowserSetup

    var arguments: [String] {
        [
            ["--profile", setup.profile, "--no-remote", "--remote-debugging-port", "0"],
            setup.isHeadless ? ["--headless"] : [], [firstPage],
        ].flatMap(\.self)
    }

    /// The address of the page that opens first.
    private var firstPage: String {
        guard setup.page != nil else { return "about:blank" }
        let plain = Set("/-._~".utf8)
        let path = "\(setup.profile)/\(Self.waitingPage)".utf8.map { byte in
            let isLetter = (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
            return isLetter || plain.contains(byte) ? String(decoding: [byte], as: UTF8.self) : "%\(Hex.encode([byte]))"
        }
        return "file://\(path.joined())"
    }

    /// A page that opens the user's page later; nil without one. Right after its start, Firefox never answers a page that
    /// subscribes: what was asked before its push service was ready is lost (docs/evidence/receivers.md §8.2). Firefox
    /// starts this service when it is idle for the first time. On a slow machine this takes longer, as the start itself
    /// does, so the page waits once more for the time that Firefox needed to show it.
    var waiting: [UInt8]? {
        guard let page = setup.page else { return nil }
        let url = quoted(page.url).split(separator: "<", omittingEmptySubsequences: false).joined(separator: "\\u003C")
        let text = """
            <!doctype html><title>Waiting for Firefox's push service</title>
            <script>
            const pause = Math.max(\(Self.shortest), Date.now() - \(setup.start));
            setTimeout(() => location.replace(\(url)), Math.min(pause, \(Self.longest)));
            </script>

            """
        return Array(text.utf8)
    }

    static let waitingPage = "waiting.html"
    /// How many milliseconds the page waits, at least and at most.
    private static let (shortest, longest) = (1000, 20_000)

    private var isSecure: Bool { if case .none = setup.gateway.trust { false } else { true } }

    private enum Value {
        case text(String)
        case flag(Bool)
        case number(Int64)
    }

    private var preferences: [(name: String, value: Value)] {
        [
            ("dom.push.serverURL", .text("\(isSecure ? "wss" : "ws")://\(setup.gateway.address)/")),
            ("dom.push.testing.allowInsecureServerURL", .flag(true)),
            // Remote control would turn pushes off.
            ("dom.push.connection.enabled", .flag(true)),
            // Firefox then draws notifications itself, so it needs no desktop that does.
            ("alerts.useSystemBackend", .flag(false)),
            permission,
        ]
    }

    /// The permission for one origin is a line in Firefox's list of default permissions, which can be given as a
    /// `data:` URL.
    private var permission: (name: String, value: Value) {
        guard let page = setup.page else { return ("permissions.default.desktop-notification", .number(Self.granted)) }
        let line = "origin%09desktop-notification%09\(Self.granted)%09\(page.origin)%0A"
        return ("permissions.manager.defaultsUrl", .text("data:text/plain,\(line)"))
    }

    private static let granted: Int64 = 1

    /// The preferences that Firefox reads at each start.
    ///
    /// - Parameter old: the file that is there. Its lines about other preferences stay.
    func userFile(changing old: [UInt8]?) -> [UInt8] {
        let preferences = preferences
        let kept = String(decoding: old ?? [], as: UTF8.self).split(whereSeparator: \.isNewline).filter { line in
            !preferences.contains { line.includes("\"\($0.name)\"") }
        }
        let ours = preferences.map { "user_pref(\(quoted($0.name)), \(text($0.value)));" }
        return Array([kept.map(String.init), ours].joined().map { "\($0)\n" }.joined().utf8)
    }

    private func text(_ value: Value) -> String {
        switch value {
        case .text(let text): quoted(text)
        case .flag(let flag): "\(flag)"
        case .number(let number): "\(number)"
        }
    }

    private func quoted(_ text: String) -> String {
        var json = JSONWriter()
        json.value(text)
        return String(decoding: json.finish(), as: UTF8.self)
    }

    /// The file of exceptions for certificates: the gateway's, by its SHA-256. Nil if none is needed.
    var certificateOverride: [UInt8]? {
        guard case .server(let fingerprint) = setup.gateway.trust else { return nil }
        let digits = fingerprint.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
        let fields = ["\(setup.gateway.address):", Self.sha256, digits.joined(separator: ":"), ""]
        return Array("\(fields.joined(separator: "\t"))\n".utf8)
    }

    /// The object identifier of SHA-256.
    private static let sha256 = "OID.2.16.840.1.101.3.4.2.1"
}

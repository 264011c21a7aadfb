/// Where test programs attach to a browser.
package struct RemoteAddress: Equatable, Sendable {
    /// The address for clients: an http URL for Chromium, a ws URL for Firefox.
    package let url: String

    /// - Parameter url: what the browser printed, like `ws://127.0.0.1:46295/devtools/browser/…`.
    init?(_ browser: Browser, announced url: some StringProtocol) {
        let scheme = "ws://"
        guard url.hasPrefix(scheme) else { return nil }
        let site = url.dropFirst(scheme.count).prefix { $0 != "/" && !$0.isWhitespace }
        guard let port = site.split(separator: ":").last, UInt16(port) ?? 0 > 0 else { return nil }
        switch browser {
        case .chromium: self.url = "http://\(site)"
        case .firefox: self.url = "ws://\(site)/session"
        }
    }
}

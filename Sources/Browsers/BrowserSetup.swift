/// How a browser is to be started.
package struct BrowserSetup: Sendable {
    /// The directory of its profile.
    package var profile: String
    /// The page to open. Without it, pages of all origins may show notifications.
    package var page: PageAddress?
    package var gateway: Gateway
    /// Whether it opens no window.
    package var isHeadless: Bool
    /// Whether the user is root, for whom Chromium has no sandbox.
    package var isRoot: Bool
    /// The time of the start, in milliseconds since 1970.
    package var start: Int64

    /// The gateway, as the browser reaches it.
    package struct Gateway: Sendable {
        /// Like `127.0.0.1:2197` or `[::1]:2197`.
        package var address: String
        package var trust: Trust

        package init(address: String, trust: Trust) {
            self.address = address
            self.trust = trust
        }
    }

    /// What the browser has to trust.
    package enum Trust: Sendable {
        /// Nothing: it connects in clear text.
        case none
        /// Certificates of the authority whose key has this SHA-256.
        case authority(keyHash: [UInt8])
        /// The server's certificate with this SHA-256.
        case server(fingerprint: [UInt8])
    }

    package init(
        profile: String, page: PageAddress?, gateway: Gateway, isHeadless: Bool, isRoot: Bool, start: Int64
    ) {
        self.profile = profile
        self.page = page
        self.gateway = gateway
        self.isHeadless = isHeadless
        self.isRoot = isRoot
        self.start = start
    }
}

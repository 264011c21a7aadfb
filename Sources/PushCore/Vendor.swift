/// The vendor of the real service with a given host name. On these hosts, every path belongs to the vendor's API.
package enum Vendor {
    case apple, appleSandbox, google

    package static let appleHosts = [
        "api.push.apple.com", "api.sandbox.push.apple.com", "api.development.push.apple.com",
        "api-broadcast.push.apple.com", "api-broadcast.sandbox.push.apple.com",
        "api-manage-broadcast.push.apple.com", "api-manage-broadcast.sandbox.push.apple.com",
    ]
    package static let googleHosts = [
        "fcm.googleapis.com", "fcm.mtls.googleapis.com", "oauth2.googleapis.com", "iid.googleapis.com",
        "fcmregistrations.googleapis.com", "firebaseinstallations.googleapis.com",
        // Browsers register here, and receive from here. Debian's Chromium has endpoints at the last one.
        "android.clients.google.com", "mtalk.google.com", "jmt17.google.com",
        // Some clients get their access tokens here, whatever the account's file says (docs/evidence/clients.md §2).
        "www.googleapis.com", "accounts.google.com",
    ]

    /// Hosts that push libraries also ask, for credentials or in older interfaces. Pushpit does not imitate them, and
    /// refuses requests for them, so that nothing is sent to the real ones by accident.
    package static let refusedHosts = [
        "iamcredentials.googleapis.com", "iamcredentials.mtls.googleapis.com", "sts.googleapis.com",
        "sts.mtls.googleapis.com", "oauth2.mtls.googleapis.com", "iid.mtls.googleapis.com",
        "fcmregistrations.mtls.googleapis.com", "firebaseinstallations.mtls.googleapis.com",
        "gateway.push.apple.com", "gateway.sandbox.push.apple.com",
        "feedback.push.apple.com", "feedback.sandbox.push.apple.com",
    ]
    /// All hosts whose connections end at the gateway.
    package static let hosts = [appleHosts, googleHosts, refusedHosts].flatMap(\.self)

    private static let domains = ["push.apple.com", "googleapis.com"]

    /// Whether a host belongs to Apple's or Google's push services, so that nothing for it may leave this machine.
    ///
    /// - Parameter host: a name in lower case, without a port and a dot at the end.
    package static func owns(_ host: String) -> Bool {
        googleHosts.contains(host) || domains.contains { host == $0 || host.hasSuffix("." + $0) }
    }

    /// - Parameter host: a name in lower case, without a port.
    package init?(host: String) {
        if Self.appleHosts.contains(host) {
            self = host.includes(".sandbox.") || host.includes(".development.") ? .appleSandbox : .apple
        } else if Self.googleHosts.contains(host) {
            self = .google
        } else {
            return nil
        }
    }
}

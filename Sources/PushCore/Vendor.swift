/// The vendor of the real service with a given host name. On these hosts, every path belongs to the vendor's API.
package enum Vendor {
    case apple, appleSandbox, google
    /// A push service for browsers alone.
    case webPush

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

    /// The hosts of Firefox's and Safari's endpoints.
    package static let webPushHosts = ["updates.push.services.mozilla.com", "web.push.apple.com"]

    /// Hosts that push libraries also ask, for credentials or in older interfaces. Pushpit does not imitate them, and
    /// refuses requests for them, so that nothing is sent to the real ones by accident.
    package static let refusedHosts = [
        "iamcredentials.googleapis.com", "iamcredentials.mtls.googleapis.com", "sts.googleapis.com",
        "sts.mtls.googleapis.com", "oauth2.mtls.googleapis.com", "iid.mtls.googleapis.com",
        "fcmregistrations.mtls.googleapis.com", "firebaseinstallations.mtls.googleapis.com",
        "gateway.push.apple.com", "gateway.sandbox.push.apple.com",
        "feedback.push.apple.com", "feedback.sandbox.push.apple.com",
    ]
    /// Hosts whose services Pushpit imitates.
    package static let imitatedHosts = [appleHosts, googleHosts, webPushHosts].flatMap(\.self)
    /// All hosts whose connections end at the gateway.
    package static let hosts = [imitatedHosts, refusedHosts].flatMap(\.self)

    private static let domains = ["push.apple.com", "googleapis.com"]

    /// Whether a host belongs to the push services of Apple, Google or Mozilla, so that nothing for it may leave this machine.
    ///
    /// - Parameter host: a name in lower case, without a port or a dot at the end.
    package static func owns(_ host: String) -> Bool {
        googleHosts.contains(host) || webPushHosts.contains(host)
            || domains.contains { host == $0 || host.hasSuffix("." + $0) }
    }

    /// Whether its servers ask a client for a certificate.
    package var usesClientCertificates: Bool { self == .apple || self == .appleSandbox }

    /// - Parameter host: a name in lower case, without a port.
    package init?(host: String) {
        if Self.appleHosts.contains(host) {
            self = host.includes(".sandbox.") || host.includes(".development.") ? .appleSandbox : .apple
        } else if Self.googleHosts.contains(host) {
            self = .google
        } else if Self.webPushHosts.contains(host) {
            self = .webPush
        } else {
            return nil
        }
    }
}

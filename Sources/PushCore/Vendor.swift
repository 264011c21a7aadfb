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
        "fcmregistrations.googleapis.com",
        // Some clients get their access tokens here, whatever the account's file says (docs/evidence/clients.md §2).
        "www.googleapis.com", "accounts.google.com",
    ]

    /// - Parameter host: a name in lower case, without a port.
    package init?(host: String) {
        if Self.appleHosts.contains(host) {
            self = host.contains(".sandbox.") || host.contains(".development.") ? .appleSandbox : .apple
        } else if Self.googleHosts.contains(host) {
            self = .google
        } else {
            return nil
        }
    }
}

package import PushCore

/// A simulated phone or browser. It lives in the gateway whether or not anybody watches.
package struct Device: Sendable {
    package let id: DeviceID
    package let platform: Platform
    package let app: String
    package let name: String
    /// Nil where the platform has none.
    package let apnsToken: DeviceToken?
    /// The environment that its APNs token belongs to.
    package let environment: PushEnvironment
    /// Since when its token is dead, as the service has noticed; nil while it lives.
    package var unregistered: Timestamp?
    /// Made by the first push to an unknown token, so that whatever comes for it is good.
    package let isImplicit: Bool

    package enum Platform: String, Sendable, CaseIterable { case ios, android, web }
}

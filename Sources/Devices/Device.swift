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
    /// When its app was taken off it; nil while it is there.
    package internal(set) var uninstalled: Timestamp?
    /// Pushes that have come since.
    package internal(set) var lostPushes = 0
    /// Made by the first push to an unknown token, so that whatever comes for it is good.
    package let isImplicit: Bool

    package enum Platform: String, Sendable, CaseIterable { case ios, android, web }
}

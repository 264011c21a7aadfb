package import PushCore

/// A simulated phone or browser. It exists in the gateway whether or not a client is connected to it.
package struct Device: Sendable {
    package let id: DeviceID
    package let platform: Platform
    package let app: String
    package let name: String
    /// The APNs token. Nil on platforms without APNs tokens, and after the token was deleted.
    package internal(set) var apnsToken: DeviceToken?
    /// The token that starts Live Activities of its app.
    package internal(set) var activityToken: DeviceToken?
    /// The app's tokens of the kinds in `TokenKind`.
    package internal(set) var otherTokens: [TokenKind: DeviceToken] = [:]
    /// The FCM registration token; empty if it has none.
    package internal(set) var fcmToken: String
    /// The Firebase installation id.
    package internal(set) var fid: String
    /// The Firebase project that it is registered with. Nil if it accepts messages of every project.
    package let project: String?
    /// The environment of its APNs token.
    package let environment: PushEnvironment
    package var state: DeviceState
    /// When it went offline; nil while it is online.
    package internal(set) var offlineSince: Timestamp?
    /// The app was uninstalled, whether or not the service knows it yet.
    package internal(set) var isAppRemoved = false
    /// When the service learned that the app is gone. A device that is offline reports it when it is back.
    package internal(set) var unregisteredSince: Timestamp?
    /// How many pushes were sent to it since the app was uninstalled.
    package internal(set) var lostPushes = 0
    /// How many messages Google dropped since the device was last informed of dropped messages.
    package internal(set) var deletedMessages = 0
    /// The pushes that wait for it, at most one for each key.
    package internal(set) var waitingPushes: [StoredPush] = []
    /// The broadcast channels that it is subscribed to.
    package internal(set) var channels: [String] = []
    /// The state of its notifications, extension and tracking.
    package internal(set) var phone = Phone()
    /// The topics that it is subscribed to, each with the time of the subscription.
    package internal(set) var topics: [String: Timestamp] = [:]
    /// The number of this device in the order of creation, counted from 1. No two devices have the same number.
    package internal(set) var generation = 0
    /// Whether the first push to an unknown token created the device. Such a device accepts all topics of its app.
    package let isImplicit: Bool
    /// Nil for a simulated device.
    package var receiver: Receiver?
    /// The push subscription of a simulated browser.
    package internal(set) var subscription: WebSubscription?

    /// A real browser, or another program, that receives this device's pushes.
    package struct Receiver: Sendable {
        /// The last part of the endpoint's path.
        package let token: String
        package let client: String
        /// Where senders send.
        package let endpoint: String

        package init(token: String, client: String, endpoint: String) {
            self.token = token
            self.client = client
            self.endpoint = endpoint
        }
    }

    /// A placeholder in the slot of a removed device. No push reaches it.
    static let vacant = Device(
        id: DeviceID(""), platform: .web, app: "", name: "", apnsToken: nil, fcmToken: "", fid: "", project: nil,
        environment: .production,
        state: DeviceState(), isAppRemoved: true, generation: .max, isImplicit: false)

    package enum Platform: String, Sendable, CaseIterable { case ios, android, web }
}

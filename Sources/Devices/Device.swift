package import PushCore

/// A simulated phone or browser. It lives in the gateway whether or not anybody watches.
package struct Device: Sendable {
    package let id: DeviceID
    package let platform: Platform
    package let app: String
    package let name: String
    /// Nil where the platform has none.
    package internal(set) var apnsToken: DeviceToken?
    /// What starts Live Activities of its app.
    package internal(set) var activityToken: DeviceToken?
    /// What Google knows it by: a registration token, empty where it has none, and the installation's id.
    package internal(set) var fcmToken: String
    package internal(set) var fid: String
    /// The Firebase project it is registered with; nil: any.
    package let project: String?
    /// The environment that its APNs token belongs to.
    package let environment: PushEnvironment
    package var state: DeviceState
    /// Since when it has no connection; nil: it has one.
    package internal(set) var offlineSince: Timestamp?
    /// Its app was taken off it, whether the service knows or not.
    package internal(set) var isGone = false
    /// Since when the service knows that the app is gone: a device that is offline tells when it is back.
    package internal(set) var uninstalled: Timestamp?
    /// Pushes that have come since.
    package internal(set) var lostPushes = 0
    /// Messages that Google dropped because too many waited.
    package internal(set) var deletedMessages = 0
    /// Pushes that wait for it, one a slot.
    package internal(set) var waiting: [StoredPush] = []
    /// The broadcast channels it hears.
    package internal(set) var channels: [String] = []
    /// What it shows and does.
    package internal(set) var phone = Phone()
    /// The topics it is subscribed to, and since when.
    package internal(set) var topics: [String: Timestamp] = [:]
    /// Which of all devices it was, counted from 1.
    package internal(set) var birth = 0
    /// Made by the first push to an unknown token, so that whatever comes for it is good.
    package let isImplicit: Bool

    /// At the place of one that is gone: nothing reaches it.
    static let vacant = Device(
        id: DeviceID(""), platform: .web, app: "", name: "", apnsToken: nil, fcmToken: "", fid: "", project: nil,
        environment: .production,
        state: DeviceState(), isGone: true, birth: .max, isImplicit: false)

    package enum Platform: String, Sendable, CaseIterable { case ios, android, web }
}

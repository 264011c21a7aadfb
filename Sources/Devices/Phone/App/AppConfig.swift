/// The parts of the app other than its code: entitlements, sounds, and values of its manifest (docs/devices.md).
///
/// A class, because there may be many devices, and nearly all of them share `standard`.
final class AppConfig: Sendable {
    enum Entitlement: String, CaseIterable { case critical, timeSensitive }
    /// An option that the delegate can return from `willPresent` (iOS).
    enum Presentation: String, CaseIterable { case banner, list, sound, badge }

    /// Nil if the app has all of them (iOS).
    let entitlements: [Entitlement]?
    /// What the delegate returns from `willPresent` (iOS).
    let willPresent: [Presentation]
    /// Whether the app may fetch over http: an exception from App Transport Security (iOS), or `usesCleartextTraffic`
    /// (Android).
    let allowsHTTP: Bool
    /// The sounds in its bundle; nil if it has every sound that a push names (iOS).
    let sounds: [String]?
    /// The manifest's default channel, icon and color for notifications (Android).
    let defaultChannel: String?
    let icon: String?
    let color: String?
    /// The actions of its activities' intent filters; nil if it has every action that a message names (Android).
    let clickActions: [String]?

    /// The configuration of a device without `appConfig`. Its delegate returns what Adobe's sample returns
    /// (docs/evidence/device.md §1.2, K18).
    static let standard = AppConfig()
    static let standardPresentation: [Presentation] = [.banner, .list, .sound]

    init(
        entitlements: [Entitlement]? = nil, willPresent: [Presentation] = standardPresentation,
        allowsHTTP: Bool = false, sounds: [String]? = nil, android: Manifest = Manifest()
    ) {
        self.entitlements = entitlements
        self.willPresent = willPresent
        self.allowsHTTP = allowsHTTP
        self.sounds = sounds
        (defaultChannel, icon, color) = (android.defaultChannel, android.icon, android.color)
        clickActions = android.clickActions
    }

    /// The parts that only Android apps have.
    struct Manifest {
        var defaultChannel: String?
        var icon: String?
        var color: String?
        var clickActions: [String]?
    }

    /// Whether the app has this sound. The phone plays the default sound instead of one that the app does not have.
    func hasSound(_ name: String) -> Bool { name == "default" || sounds?.contains(name) ?? true }

    func has(_ entitlement: Entitlement) -> Bool { entitlements?.contains(entitlement) ?? true }

    /// Whether a tap can start an activity with this action.
    func hasActivity(for action: String?) -> Bool {
        guard let action, let clickActions else { return true }
        return clickActions.contains(action)
    }
}

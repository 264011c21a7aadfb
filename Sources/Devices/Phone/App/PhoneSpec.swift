internal import JSON
internal import PushCore

/// The properties of the app on a device (docs/devices.md): its extension, categories, channels, texts, tracking and
/// configuration.
package struct PhoneSpec: Sendable {
    var `extension` = ExtensionSpec()
    var categories: [NotificationCategory] = []
    var channels: [NotificationChannel] = []
    var tracking = TrackingSpec()
    /// The app's localized texts.
    var texts = TextTable()
    var app = AppConfig.standard
    /// How many background pushes per hour may wake the app (iOS). Nil for no limit, as with a debugger attached.
    var backgroundBudget: Int64?
    /// The app reports a call to CallKit for every VoIP push (iOS).
    var reportsCalls = true

    func category(_ id: String?) -> NotificationCategory? { categories.first { $0.id == id } }
}

/// A Notification Service Extension (iOS).
struct ExtensionSpec: Sendable {
    var script = Script.none
    /// How long the script `slow` takes.
    var seconds: Int64 = 10
    /// The text that the script appends to the title. Nil for the default: `firebase` appends the text of Firebase's
    /// sample, and the other scripts append nothing.
    var titleSuffix: String?
    /// Where the payload has the URL that `firebase` and `adobe` attach, instead of the keys of these companies.
    var imageKey: JSONPointer?

    enum Script: String, Sendable, CaseIterable { case none, firebase, adobe, echo, slow, crash, remote }
}

/// The actions of a category of notifications (iOS).
struct NotificationCategory: Sendable {
    let id: String
    var hasDismissAction = false
    var actions: [Action] = []

    struct Action: Sendable {
        let id: String
        let title: String
        var isForeground = false
        var takesText = false
    }
}

/// A notification channel of an Android app.
struct NotificationChannel: Sendable {
    let id: String
    let importance: Importance

    enum Importance: String, Sendable, CaseIterable { case none, min, low, `default`, high }
}

extension Device {
    /// Which tracking code the app has: `none` or `adobe`.
    package var trackingProfile: String { phone.spec.tracking.profile.rawValue }
}

/// The app's tracking by Adobe.
struct TrackingSpec: Sendable {
    var profile = Profile.none
    var ecid = ""
    var privacy = Privacy.optedin

    /// Generates an ECID (Adobe's id for the app's user) of 38 digits, if the app tracks and has no ECID.
    mutating func generateECID(using generator: inout Random) {
        guard profile == .adobe, ecid.isEmpty else { return }
        ecid = String((0..<38).map { _ in Character(String(generator.next() % 10)) })
    }

    enum Profile: String, Sendable, CaseIterable { case none, adobe }
    enum Privacy: String, Sendable, CaseIterable { case optedin, optedout, unknown }
}

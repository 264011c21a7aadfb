internal import JSON
internal import PushCore

/// What an app on a phone brings along (protocol.md): its extension, categories, channels and tracking.
package struct PhoneSpec: Sendable {
    var `extension` = ExtensionSpec()
    var categories: [NotificationCategory] = []
    var channels: [NotificationChannel] = []
    var tracking = TrackingSpec()
    /// What texts by key stand for.
    var texts = TextTable()
    /// How often an hour a background push may wake the app (iOS); nil: always, as with a debugger attached.
    var backgroundBudget: Int64?

    func category(_ id: String?) -> NotificationCategory? { categories.first { $0.id == id } }
}

/// A Notification Service Extension (iOS).
struct ExtensionSpec: Sendable {
    var script = Script.none
    /// How long `slow` takes.
    var seconds: Int64 = 10
    /// Nil: `firebase` appends what its sample does.
    var titleSuffix: String?

    enum Script: String, Sendable, CaseIterable { case none, firebase, adobe, echo, slow, crash, remote }
}

/// What a person can do with a kind of notification (iOS).
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

/// An Android app's channel.
struct NotificationChannel: Sendable {
    let id: String
    let importance: Importance

    enum Importance: String, Sendable, CaseIterable { case none, min, low, `default`, high }
}

/// What the app tells its vendor.
struct TrackingSpec: Sendable {
    var profile = Profile.none
    var ecid = ""
    var privacy = Privacy.optedin

    /// An ecid of 38 digits, where an app that tracks has none.
    mutating func mint(using generator: inout Random) {
        guard profile == .adobe, ecid.isEmpty else { return }
        ecid = String((0..<38).map { _ in Character(String(generator.next() % 10)) })
    }

    enum Profile: String, Sendable, CaseIterable { case none, adobe }
    enum Privacy: String, Sendable, CaseIterable { case optedin, optedout, unknown }
}

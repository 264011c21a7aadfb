package import PushCore

/// The notifications, Live Activities and pending work of a simulated phone.
package struct Phone: Sendable {
    package internal(set) var spec = PhoneSpec()
    package internal(set) var shade = Shade()
    package internal(set) var badge: Int64 = 0
    /// Pushes that an extension is working on, or whose image is being fetched.
    var jobs: [Job] = []
    /// How many notifications have been shown so far. Generated keys contain this number.
    var shownCount: UInt32 = 0
    /// The last ten FCM messages, to detect duplicates (code).
    var recentMessages: [PushID] = []
    /// Live Activities by attributes type.
    var activities: [String: LiveActivity] = [:]
    /// When background pushes woke the app in the last hour (iOS).
    var wakeTimes: [Timestamp] = []
    /// The background push that is held because the budget is used up (iOS).
    var heldPush: HeldPush?
    /// For how many VoIP pushes the app has not reported a call (iOS).
    var unreportedCalls = 0
    /// The ids in the shared intents of Adobe's Android sample.
    var intents = AdobeIntents()

    /// A push that will be shown when an extension or a fetch has finished.
    struct Job: Sendable {
        let arrival: Arrival
        let started: Timestamp
        /// The latest time at which the push is shown.
        var due: Timestamp
        /// The text that will be shown.
        var text: NotificationText
        /// The event to report before the push is shown.
        var report: Report?
        /// Whether it waits for a file.
        var isFetching = false
        /// Whether its time is over, although `due` may say otherwise: a fetch that takes too long takes real time, and
        /// the gateway's clock may stand still.
        var isLate = false

        struct Report: Sendable {
            let kind: Event.Kind
            let why: PhoneRule
            let detail: Event.Detail
        }
    }

    struct HeldPush: Sendable {
        let push: PushID
        let content: AppleContent
    }

    /// The pending timer for the Live Activities.
    var activityTimer: Timestamp?
    /// The stale and dismissal dates of the Live Activities.
    package var activityDueTimes: [Timestamp] {
        activities.values.flatMap { [$0.staleDate, $0.dismissalDate].compactMap(\.self) }
    }

    /// The names of the last files that Adobe's extension has moved into place.
    var movedFiles: [String] = []

    static let jobLimit = 100
    static let tooManyJobs = "this phone is already working on \(jobLimit) notifications"
    /// How many messages and files are remembered.
    static let recentLimit = 10
    static let activityLimit = 100
}

package import PushCore

/// What a simulated phone remembers of what it showed and did.
package struct Phone: Sendable {
    package internal(set) var spec = PhoneSpec()
    package internal(set) var shade = Shade()
    package internal(set) var badge: Int64 = 0
    /// Pushes that an extension works on, or whose image is being fetched.
    var jobs: [Job] = []
    /// Notifications shown so far: keys come from it.
    var shown: UInt32 = 0
    /// Google's last ten messages (code).
    var recent: [PushID] = []
    /// By the type of their attributes.
    var activities: [String: LiveActivity] = [:]
    /// When background pushes woke the app in the last hour, and the one that is held (iOS).
    var wakes: [Timestamp] = []
    var held: Held?
    /// Adobe's Android sample keeps one intent for taps and one for clears: whose ids they hold.
    var intents = AdobeIntents()

    /// A push that is to be shown when something else is done.
    struct Job: Sendable {
        let arrival: Arrival
        let started: Timestamp
        /// When it is over, whatever the other has done.
        let due: Timestamp
        /// What is to be shown then.
        var text: ShownText
        /// Said of it then, before it is shown.
        var word: Word?
        /// The file it waits for.
        var isFetching = false

        struct Word: Sendable {
            let kind: Event.Kind
            let why: PhoneRule
            let detail: Event.Detail
        }
    }

    struct Held: Sendable {
        let push: PushID
        let content: AppleContent
    }

    /// The timer that was asked for on their account.
    var activityTimer: Timestamp?
    /// When something becomes of its Live Activities.
    package var activityMoments: [Timestamp] {
        activities.values.flatMap { [$0.stale, $0.dismissal].compactMap(\.self) }
    }

    /// Names of the last files that Adobe's extension has moved to their place.
    var files: [String] = []

    static let jobLimit = 100
    static let remembered = 10
    static let activityLimit = 100
}

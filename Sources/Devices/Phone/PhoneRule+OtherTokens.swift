internal import PushCore

extension PhoneRule {
    /// The rows for Live Activities, and for pushes to tokens other than the app's own.
    enum Rows {
        static let activity = Rule.event(
            "ios.live-activity", .documented, "A Live Activity started, changed or ended.", "No action is needed.")

        static let activityOver = Rule.event(
            "ios.live-activity-over", .documented,
            "The Live Activity has ended or never started, so the event does nothing.",
            "Start the activity first, with event start and the same attributes-type.")

        static let activityOutdated = Rule.event(
            "ios.live-activity-old", .documented,
            "This Live Activity already received an event with a newer timestamp.",
            "Send a later timestamp than that of the previous event.")

        static let activityStale = Rule.event(
            "ios.live-activity-stale", .documented, "The stale-date of the Live Activity passed without an update.",
            "Send an update before its stale-date, or a later stale-date.")

        static let activityDismissed = Rule.event(
            "ios.live-activity-dismissed", .documented,
            "The Live Activity has ended. It leaves the screen at its dismissal-date, or after four hours.",
            "Send another dismissal-date with the end event, within four hours.")

        static let voip = Rule.event(
            "ios.voip", .documented,
            "PushKit launches the app for a VoIP push in every state, and calls didReceiveIncomingPush.",
            "Report a call to CallKit before that method returns.")

        static let call = Rule.event(
            "ios.call", .documented, "The app reported an incoming call to CallKit, and the phone rings.",
            "No action is needed.")

        static let callNotReported = Rule.event(
            "ios.call-not-reported", .documented,
            "The app reported no call to CallKit for a VoIP push, so the system ended it.",
            "Report a call for every VoIP push, or send an alert or a background push instead.")

        static let callsBlocked = Rule.event(
            "ios.voip-blocked", .assumed,
            "The app reported no call for three VoIP pushes, so VoIP pushes no longer wake it. The number is assumed.",
            "Report a call for every VoIP push. To begin again, uninstall and install the app (POST /api/v1/devices/ID/act)."
        )

        static let pushToTalk = Rule.event(
            "ios.push-to-talk", .documented,
            "The app is in a Push to Talk channel. The system wakes it and calls incomingPushResult.",
            "No action is needed.")

        static let channelLeft = Rule.event(
            "ios.push-to-talk-left", .observed,
            "The person force-quit the app, which left its Push to Talk channel. The push is discarded.",
            "Open the app ('launch'), so that it joins its channel again.")

        static let locationPush = Rule.event(
            "ios.location-push", .documented,
            "The system runs the app's Location Push Service Extension. The app itself does not run.",
            "No action is needed.")

        static let complication = Rule.event(
            "ios.complication", .documented, "PushKit runs the app, which updates its complication on the watch.",
            "No action is needed.")

        static let fileProvider = Rule.event(
            "ios.file-provider", .documented, "PushKit runs the app, which looks for changed files.",
            "No action is needed.")

        static let widgets = Rule.event(
            "ios.widgets", .documented,
            "WidgetKit asks the app's widget extension for new timelines. The app itself does not run.",
            "No action is needed.")
    }
}

internal import PushCore

/// A class of firebase-admin for Python that stands for an object of a message to FCM.
struct FirebaseClass {
    /// How a member becomes an argument.
    enum Kind {
        /// A string, or one of these words, which firebase-admin writes in lower case and without the prefix.
        case text
        case word([String], prefix: String = "")
        case texts, textMap, flag, number
        /// Any JSON.
        case json
        case object(@Sendable () -> FirebaseClass)
        case objects(@Sendable () -> FirebaseClass)
        /// `3.5s` as seconds or milliseconds.
        case seconds, milliseconds, listOfMilliseconds
        /// A time in RFC 3339.
        case time
        /// `{"red":1}` as `#ff0000ff`.
        case color
        /// 1, which becomes True.
        case one
        /// A string or an object.
        case textOr(@Sendable () -> FirebaseClass)
    }

    let name: String
    /// The members that the class has, by their names in JSON, with the names of the arguments.
    let fields: [(name: String, argument: String, kind: Kind)]
    /// Where other members go; nil if there is no place for them.
    var rest: Rest?

    enum Rest { case customData, keywords }

    /// - Parameter texts: members that are strings, with the same name in Python.
    init(
        _ name: String, texts: [String] = [], _ fields: [(name: String, argument: String, kind: Kind)] = [],
        rest: Rest? = nil
    ) {
        self.name = name
        self.fields = texts.map { ($0, $0.pieces(separatedBy: "-").joined(separator: "_"), .text) } + fields
        self.rest = rest
    }
}

extension FirebaseClass {
    static let message = FirebaseClass(
        "Message", texts: ["token", "topic", "condition", "fid"],
        [
            ("data", "data", .textMap), ("notification", "notification", .object { notification }),
            ("android", "android", .object { android }), ("webpush", "webpush", .object { webpush }),
            ("apns", "apns", .object { apns }), ("fcm_options", "fcm_options", .object { options("FCMOptions") }),
        ])
    private static let notification = FirebaseClass("Notification", texts: ["title", "body", "image"])

    private static func options(_ name: String, _ others: [String] = ["analytics_label"]) -> FirebaseClass {
        FirebaseClass(name, texts: others)
    }

    private static let android = FirebaseClass(
        "AndroidConfig", texts: ["collapse_key", "restricted_package_name"],
        [
            ("priority", "priority", .word(["high", "normal"])), ("ttl", "ttl", .seconds), ("data", "data", .textMap),
            ("notification", "notification", .object { androidNotification }),
            ("fcm_options", "fcm_options", .object { options("AndroidFCMOptions") }),
            ("direct_boot_ok", "direct_boot_ok", .flag),
            ("bandwidth_constrained_ok", "bandwidth_constrained_ok", .flag),
            ("restricted_satellite_ok", "restricted_satellite_ok", .flag),
        ])
    private static let androidNotification = FirebaseClass(
        "AndroidNotification",
        texts: [
            "title", "body", "icon", "color", "sound", "tag", "click_action", "body_loc_key", "title_loc_key",
            "channel_id", "image", "ticker",
        ],
        [
            ("body_loc_args", "body_loc_args", .texts), ("title_loc_args", "title_loc_args", .texts),
            ("sticky", "sticky", .flag), ("event_time", "event_timestamp", .time), ("local_only", "local_only", .flag),
            (
                "notification_priority", "priority",
                .word(["min", "low", "default", "high", "max"], prefix: "PRIORITY_")
            ),
            ("vibrate_timings", "vibrate_timings_millis", .listOfMilliseconds),
            ("default_vibrate_timings", "default_vibrate_timings", .flag), ("default_sound", "default_sound", .flag),
            ("light_settings", "light_settings", .object { lightSettings }),
            ("default_light_settings", "default_light_settings", .flag),
            ("visibility", "visibility", .word(["private", "public", "secret"])),
            ("notification_count", "notification_count", .number),
            ("proxy", "proxy", .word(["allow", "deny", "if_priority_lowered"])),
        ])
    private static let lightSettings = FirebaseClass(
        "LightSettings",
        [
            ("color", "color", .color), ("light_on_duration", "light_on_duration_millis", .milliseconds),
            ("light_off_duration", "light_off_duration_millis", .milliseconds),
        ])

    private static let webpush = FirebaseClass(
        "WebpushConfig",
        [
            ("headers", "headers", .textMap), ("data", "data", .textMap),
            ("notification", "notification", .object { webpushNotification }),
            ("fcm_options", "fcm_options", .object { options("WebpushFCMOptions", ["link"]) }),
        ])
    private static let webpushNotification = FirebaseClass(
        "WebpushNotification", texts: ["title", "body", "icon", "badge", "image", "tag"],
        [
            ("actions", "actions", .objects { webpushAction }), ("data", "data", .json), ("dir", "direction", .text),
            ("lang", "language", .text), ("renotify", "renotify", .json),
            ("requireInteraction", "require_interaction", .json), ("silent", "silent", .json),
            ("timestamp", "timestamp_millis", .number), ("vibrate", "vibrate", .json),
        ], rest: .customData)
    private static let webpushAction = FirebaseClass(
        "WebpushNotificationAction", texts: ["action", "title", "icon"])

    private static let apns = FirebaseClass(
        "APNSConfig", texts: ["live_activity_token"],
        [
            ("headers", "headers", .textMap), ("payload", "payload", .object { payload }),
            ("fcm_options", "fcm_options", .object { options("APNSFCMOptions", ["analytics_label", "image"]) }),
        ])
    private static let payload = FirebaseClass("APNSPayload", [("aps", "aps", .object { aps })], rest: .keywords)
    private static let aps = FirebaseClass(
        "Aps", texts: ["category", "thread-id"],
        [
            ("alert", "alert", .textOr { alert }), ("badge", "badge", .number),
            ("sound", "sound", .textOr { criticalSound }), ("content-available", "content_available", .one),
            ("mutable-content", "mutable_content", .one),
        ], rest: .customData)
    private static let alert = FirebaseClass(
        "ApsAlert",
        texts: ["title", "subtitle", "body", "loc-key", "title-loc-key", "action-loc-key", "launch-image"],
        [("loc-args", "loc_args", .texts), ("title-loc-args", "title_loc_args", .texts)], rest: .customData)
    private static let criticalSound = FirebaseClass(
        "CriticalSound", texts: ["name"], [("critical", "critical", .one), ("volume", "volume", .number)])
}

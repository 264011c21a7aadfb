internal import PushCore

/// The rules for findings, which do not change an answer.
extension FCMRules {
    static let findings: [Rule] = [
        Rule(
            "fcm.no-subscribers", .finding(.warning), .ours, "A topic or a condition reaches no device.",
            "Subscribe a device, or correct the topic name."),
        Rule(
            "fcm.refused-by-apple", .finding(.warning), .assumed,
            "Apple refuses a message to a topic or a condition for some or all iPhones. Google has already answered 200.",
            "Correct what the finding names, or shorten the message."),
        Rule(
            "fcm.legacy-shape", .finding(.warning), .documented,
            "The body has the format of the API that ended in 2024. The finding shows the message in the v1 format.",
            "Send what the finding shows. 'pushpit check' shows it too."),
        Rule(
            "fcm.legacy-change", .finding(.note), .documented,
            "The finding says how one member of the old format was converted.", "Write the member as the finding says."),
        Rule(
            "fcm.image-extension", .finding(.warning), .ours,
            "The path of notification.image or android.notification.image does not end with the file extension of an image.",
            "Use an image URL whose path ends in .jpg, .jpeg, .png or .gif."),
        Rule(
            "fcm.image-not-absolute", .finding(.warning), .ours,
            "notification.image or android.notification.image is not an absolute http or https URL.",
            "Send the whole URL of the image, starting with https:// and a host."),
        Rule(
            "fcm.image-without-mutable-content", .finding(.warning), .documented,
            "notification.image also goes to an iPhone, but without mutable-content no extension runs to fetch it.",
            "Set apns.payload.aps['mutable-content'] to 1, or move the image to android.notification."),
        Rule(
            "fcm.media-in-data", .finding(.warning), .ours,
            "A media URL is in 'data', where Pushpit does not check it.",
            "Put the URL into apns.fcm_options.image with 'mutable-content' 1, unless the app reads it from data itself."
        ),
        Rule(
            "fcm.mutable-content-misplaced", .finding(.warning), .observed,
            "'mutable-content' or 'content-available' is in apns.headers or in data, where it has no effect.",
            "Put the key into apns.payload.aps, with the number 1."),
        Rule(
            "fcm.misspelled-key", .finding(.warning), .observed,
            "A name resembles one that Google or a phone reads, like mutable_content in 'aps'.",
            "Use the spelling that the finding suggests."),
        Rule(
            "fcm.image-in-data", .finding(.note), .ours,
            "A key of data has a usual name for an image, and its value is a URL. Only the app itself can show that image.",
            "Put the URL into notification.image, unless the app reads it from data itself."),
        Rule(
            "fcm.image-localhost", .finding(.warning), .ours,
            "The host of an image's URL is localhost or a loopback address.", "Use a host that phones can reach."),
        Rule(
            "fcm.webpush-image", .finding(.warning), .observed,
            "'image' is in webpush.headers, where it is never shown.", "Put the image into webpush.notification.image."),
        Rule(
            "fcm.collapse-key-per-message", .finding(.note), .assumed,
            "The collapse_key is the decimal form of _mId, Adobe Campaign's id of this message, so the message never replaces another one.",
            "Use a key that messages of one kind share, or no key."),
        Rule(
            "fcm.collapse-key-ignored", .finding(.note), .documented,
            "A notification has a collapse_key, which Google ignores.",
            "Use android.notification.tag to replace a shown notification."),
        Rule(
            "fcm.high-priority-data", .finding(.note), .documented, "A message that shows nothing has high priority.",
            "Omit android.priority, unless the message leads to something that the person sees."),
        Rule(
            "fcm.nothing-to-deliver", .finding(.note), .ours,
            "A message has a target and nothing else. Only 'pushpit check' reports it.",
            "Add a notification, data, or a part for a platform."),
        Rule(
            "fcm.silent-for-apple", .finding(.warning), .observed, observed: "2021-04",
            "A message that shows nothing on an iPhone lacks content-available 1 or apns-priority 5.",
            "Set aps.content-available to 1 and apns.headers['apns-priority'] to '5'."),
    ]
}

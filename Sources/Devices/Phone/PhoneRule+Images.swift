internal import PushCore

/// Why a push that names an image is shown without it, although no file was fetched.
extension PhoneRule.Rows {
    static let extensionMissing = Rule.event(
        "ios.no-extension", .documented,
        "The push names an image, but the app has no notification service extension. Only an extension can attach one.",
        "Add an extension to the app, and to the device: 'extension' in its spec, or --extension of 'pushpit device'.")
    static let extensionNotAllowed = Rule.event(
        "ios.not-mutable", .documented,
        "The push names an image, but mutable-content is not 1. So the extension, which attaches images, does not run.",
        "Set mutable-content to 1 in 'aps'.")
    static let extensionNeedsText = Rule.event(
        "ios.alert-not-a-dictionary", .documented,
        "The push names an image, but the alert is not a dictionary with text. So the extension, which attaches images, does not run.",
        "Make 'alert' an object with a title or a body.")
    static let imageIgnored = Rule.event(
        "ios.image-ignored", .ours,
        "The push names an image under a key that the app's extension does not read.",
        "Use the key that the extension reads: fcm_options.image for Firebase's, media-attachment-url for Adobe's. If your app reads a key of your own, name it in the device's 'extension': 'imageKey'."
    )
}

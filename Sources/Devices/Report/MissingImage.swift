package import JSON
internal import PushCore

/// The answer to "Why is there no image?".
package struct MissingImage: Sendable, Equatable {
    /// The id of the rule that decided.
    package let rule: String
    /// The words after "no image:", without a full stop.
    package let reason: String
    package let remedy: String?

    /// - Parameters:
    ///   - why: the rule of the event.
    ///   - data: the data of an `attachment` event.
    init(why: String, _ data: JSONView?) {
        let known = DeviceRules.rowsByID[why]
        rule = why
        reason = Self.reason(why, data) ?? known?.meaning.firstSentence ?? why
        remedy = known.flatMap { $0.remedy == "No action is needed." ? nil : $0.remedy }
    }

    private static func reason(_ why: String, _ data: JSONView?) -> String? {
        if let status = data?["status"]?.int, !(200..<300).contains(status) { return "the server answered \(status)" }
        guard let text = reasons[why] else { return nil }
        let details = [
            data?["size"]?.int.map { "\(Double(($0 &+ 50_000) / 100_000) / 10) MB" }, data?["contentType"]?.string,
        ]
        switch why {
        case "ios.attachment-size": return details[0].map { "\(text) (\($0))" } ?? text
        case "ios.attachment-type", "ios.attachment-content": return details[1].map { "\(text) (\($0))" } ?? text
        case "android.image-failed", "fetch.failed": return data?["message"]?.string ?? text
        case "fetch.skipped": return skipped(data?["url"]?.string ?? "the file", data?["message"]?.string)
        default: return text
        }
    }

    /// Why Pushpit did not fetch a file. Without a message, `--fetch-media` is off.
    private static func skipped(_ url: String, _ message: String?) -> String {
        let unknown = "\(url.prefix(200)) is not in the media table"
        guard let message else { return "\(unknown), and --fetch-media is 'off'" }
        return message.includes("--fetch-media") ? "\(unknown); \(message)" : message
    }

    /// The reason in few words, for each rule of an event that leaves a notification without its image.
    private static let reasons = [
        "ios.no-extension": "the app has no notification service extension",
        "ios.not-mutable": "mutable-content is not 1",
        "ios.alert-not-a-dictionary": "the alert is not a dictionary with text, so the extension does not run",
        "ios.image-ignored": "the app's extension does not read the key that names it",
        "ios.attachment-type": "the file has no type that attachments support",
        "ios.attachment-size": "the file is too large",
        "ios.attachment-content": "the file is not what its name says",
        "ios.attachment-url": "the URL is not usable",
        "ios.extension-timeout": "the extension did not finish within 30 seconds",
        "ios.extension-crash": "the extension crashed",
        "fetch.skipped": "Pushpit did not fetch it",
        "fetch.failed": "the file could not be fetched",
        "fetch.http": "the URL uses http, which the app does not allow",
        "android.image-failed": "the file is too large or not an image",
        "android.image-slow": "it took longer than five seconds",
    ]
}

extension MissingImage: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("rule", rule)
            json.member("reason", reason)
            if let remedy { json.member("remedy", remedy) }
        }
    }
}

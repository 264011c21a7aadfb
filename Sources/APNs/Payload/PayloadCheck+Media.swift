internal import JSON
internal import PushCore

/// The rules for media URLs, which phones read from keys outside `aps`.
extension PayloadCheck {
    mutating func checkMedia(_ root: JSONView, _ aps: JSONView?) {
        if let options = root["fcm_options"], options["image"] == nil { lintKeys(of: options) }
        for (path, value) in [
            ("/fcm_options/image", root["fcm_options"]?["image"]),
            ("/media-attachment-url", root["media-attachment-url"]),
        ] {
            // An empty string means that there is no URL: some senders always write the key.
            guard let value, !value.isNull else { continue }
            if value.string == "" {
                note(.emptyMedia, path, "The media URL is an empty string")
                continue
            }
            if aps?["mutable-content"]?.exactInteger != 1 {
                note(.mediaNeedsMutableContent, path, "A media URL needs 'mutable-content' 1 in 'aps'")
            }
            let text = value.string ?? ""
            let fault = MediaURL.fault(of: text)
            if MediaURL.isLocal(text) { note(.mediaOnLocalHost, path, "The host of \(value.shown) is this machine") }
            if MediaURL.isInClearText(text) { note(.mediaInClearText, path, "\(value.shown) uses http") }
            switch fault {
            case nil: break
            case .notAbsolute: note(.mediaNotAbsolute, path, "\(value.shown) is not an absolute http or https URL")
            case .noExtension:
                note(.mediaNoExtension, path, "The path of \(value.shown) has no file extension")
                lint(hostOf: text, at: path)
            case .unknownExtension(let name):
                note(.mediaUnknownExtension, path, "'\(name.prefix(20))' is not a type that attachments accept")
            }
        }
    }
}

internal import HTTPCore
package import JSON
package import PushCore
internal import Receivers

extension Message {
    /// What a person would call the push: its title, or else its text. Nil if it shows no text.
    package var title: String? {
        guard document != nil || request.sealedBody == nil else { return Self.text(of: request.body) }
        return document.flatMap { Self.title(of: $0.root, record.provider) }
    }

    /// The beginning of a text that is not JSON.
    private static func text(of body: [UInt8]) -> String? {
        body.isEmpty ? nil : String(String(decoding: body.prefix(400), as: UTF8.self).prefix(100))
    }

    /// - Parameter root: the body of the push.
    package static func title(of root: JSONView, _ provider: Provider) -> String? {
        switch provider {
        case .apns: return title(ofAlert: root["aps"]?["alert"])
        case .webpush: return title(of: root["notification"]) ?? title(of: root)
        case .fcm:
            let message = root["message"]
            return title(of: message?["notification"]) ?? title(of: message?["android"]?["notification"])
                ?? title(ofAlert: message?["apns"]?["payload"]?["aps"]?["alert"])
                ?? title(of: message?["webpush"]?["notification"]) ?? title(of: message?["data"])
        }
    }

    private static func title(ofAlert alert: JSONView?) -> String? { text(alert) ?? title(of: alert) }

    private static func title(of object: JSONView?) -> String? {
        for key in keys { if let text = text(object?[key]) { return text } }
        return nil
    }

    /// The members that hold a text, best first. The last ones name a text that the app has.
    private static let keys = [
        "title", "subtitle", "body", "title-loc-key", "title_loc_key", "titleLocKey", "loc-key", "body_loc_key",
        "bodyLocKey",
    ]

    private static func text(_ value: JSONView?) -> String? { value?.string.flatMap { $0.isEmpty ? nil : $0 } }
}

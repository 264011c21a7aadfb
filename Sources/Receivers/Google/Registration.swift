internal import FCM
internal import HTTPCore
package import PushCore

/// A token that a client has registered: for a page's subscription, or for an app.
package struct Registration: Hashable, Sendable {
    let client: UInt64
    /// The package, such as `org.chromium.linux`. Pushes come back with it as their `category`.
    let app: String
    /// Which page or app inside the client. Pushes come back with it as `subtype`.
    let subtype: String
    /// The key or the project that may send: a VAPID key for pages.
    let sender: String
}

extension Registration {
    /// Who gets the pushes; nil for a part of the client that has no pages or apps, such as Chromium's own service.
    func receiver(_ token: String, host: String) -> Receiver? {
        guard !subtype.isEmpty else { return nil }
        // `wp:https://page.example/#GUID-V2` for a page; the id of an app otherwise.
        let place = subtype.hasPrefix("wp:") ? subtype.dropFirst(3) : subtype[...]
        let name = place.prefix { $0 != "#" }
        return Receiver(
            token: token, app: String(name.hasSuffix("/") ? name.dropLast() : name),
            client: place.includes("://") ? "Chromium" : "FCM client",
            endpoint: "https://\(host)/fcm/send/\(token)")
    }
}

/// The form of `POST /c2dm/register3` (docs/evidence/receivers.md §3).
struct RegistrationForm {
    let registration: Registration
    let isDeletion: Bool
    /// The name of a topic that is subscribed or unsubscribed, without `/topics/`.
    let topic: String?

    /// Nil if a field is missing or too long, or if there can't be such a topic.
    init?(_ fields: [(name: String, value: String)], client: UInt64) {
        func value(_ name: String) -> String? { fields.last { $0.name == name }?.value }
        guard let app = value("app"), let sender = value("sender"), value("device") != nil, !app.isEmpty,
            !sender.isEmpty,
            fields.allSatisfy({ $0.value.utf8.count <= Self.longest })
        else { return nil }
        registration = Registration(
            client: client, app: app, subtype: value("X-subtype") ?? value("subtype") ?? "", sender: sender)
        isDeletion = ["true", "1"].contains(value("delete") ?? value("X-delete") ?? "")
        topic = value("X-gcm.topic").map { $0.hasPrefix("/topics/") ? String($0.dropFirst("/topics/".count)) : $0 }
        guard topic.map(FCMSyntax.isTopic) ?? true, registration.hasUsableName else { return nil }
    }

    private static let longest = 1000

    /// Whether the sender is a project number or a VAPID key. For a deletion it may also be `*`.
    var hasValidSender: Bool {
        let sender = registration.sender
        if isDeletion, sender == "*" { return true }
        if sender.utf8.count <= 20, sender.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) { return true }
        return Base64URL.decodeAny(sender.utf8).map { $0.count == 65 && $0.first == 4 } ?? false
    }
}

/// What Google answers if it registers nothing. The text after `Error=` is what clients look at.
enum RegistrationError: String {
    case authenticationFailed = "AUTHENTICATION_FAILED"
    case invalidParameters = "INVALID_PARAMETERS"
    case invalidSender = "INVALID_SENDER"
    case tooMany = "TOO_MANY_REGISTRATIONS"

    var response: Response {
        Response(
            status: self == .authenticationFailed ? 401 : 200, contentType: "text/plain; charset=UTF-8",
            text: "Error=\(rawValue)")
    }
}

extension Registration {
    /// The longest origin of a page, or id of an app: the longest name of a device's app.
    private static let longestName = 255

    /// Whether its page or app, if it is for one, can be the app of a device.
    var hasUsableName: Bool {
        guard let name = receiver("", host: "")?.app.utf8 else { return true }
        return 1...Self.longestName ~= name.count && name.allSatisfy { $0 > 0x20 && $0 != 0x7F }
    }

    /// About how many bytes its texts take.
    var size: Int { app.utf8.count + subtype.utf8.count + sender.utf8.count }
}

extension Registration: SavedValue {
    package func write(to writer: inout ByteWriter) {
        writer.number(client)
        for text in [app, subtype, sender] { writer.text(text) }
    }

    package init(from reader: inout ByteReader) throws(ByteReader.Damage) {
        client = try reader.number()
        (app, subtype, sender) = (try reader.text(), try reader.text(), try reader.text())
    }
}

internal import APNs
internal import PushCore

/// Checks of the options of `send` that would otherwise be ignored or produce an invalid request.
enum SendOptions {
    /// An option that applies to one kind of push only.
    struct Row {
        let name: String
        let provider: Provider
        /// What to do with the option if the push is of the other kind.
        let remedy: String
    }

    static let rows = [
        Row(
            name: "dry-run", provider: .fcm,
            remedy: "leave it out to send the push, or use 'pushpit check', which sends nothing"),
        Row(name: "project", provider: .fcm, remedy: "leave it out"),
        Row(
            name: "type", provider: .apns,
            remedy: "leave it out, or for an iPhone add apns-push-type to apns.headers in the message"),
        Row(
            name: "priority", provider: .apns,
            remedy: "leave it out, or set android.priority or apns-priority in apns.headers in the message"),
        Row(
            name: "collapse-id", provider: .apns,
            remedy: "leave it out, or set android.collapse_key or apns-collapse-id in apns.headers in the message"),
        Row(
            name: "expiration", provider: .apns,
            remedy: "leave it out, or set android.ttl or apns-expiration in apns.headers in the message"),
        Row(name: "sandbox", provider: .apns, remedy: "leave it out"),
    ]

    /// Refuses options that do not apply to the kind of push in the file.
    static func check(_ options: Options, for provider: Provider, in path: String) throws(ExitFailure) {
        let file = path == "-" ? "standard input" : path
        for row in rows where row.provider != provider {
            guard let value = options.changed(row.name) else { continue }
            let problem =
                provider == .apns
                ? "is for FCM messages, and \(file) is not one" : "is for APNs payloads, but \(file) is an FCM message"
            throw options.invalid(row.name, value, "\(problem): \(row.remedy)")
        }
    }

    /// The device token. Wrong digits are sent, so that the gateway can refuse them.
    static func deviceToken(_ options: Options) throws(ExitFailure) -> String {
        guard let token = try options.text("to") else {
            throw .usage("send needs --to TOKEN for an APNs payload", .send)
        }
        let digits = token.filter { !$0.isWhitespace && $0 != "<" && $0 != ">" }
        guard digits == token else {
            throw options.invalid(
                "to", token,
                "has blanks or brackets, as in the description of NSData: write only the hex digits"
                    + (digits.isEmpty ? "" : ", \(digits)"))
        }
        return token
    }

    /// The header fields from the options. A wrong value is sent, so that the gateway can refuse it. Only a value that
    /// no header field can have is an error here.
    static func fields(_ options: Options, topic: String) throws(ExitFailure) -> [(String, String)] {
        var fields = [("apns-topic", topic)]
        for (option, field) in [
            ("type", "apns-push-type"), ("priority", "apns-priority"), ("collapse-id", "apns-collapse-id"),
            ("expiration", "apns-expiration"),
        ] {
            if let value = try options.headerValue(option) { fields.append((field, value)) }
        }
        // Apple drops background pushes of priority 10, which is the default.
        if try options.text("type") == "background", try options.text("priority") == nil {
            fields.append(("apns-priority", "5"))
        }
        return fields
    }
}

/// Text that becomes the value of a header field.
enum HeaderText {
    /// Why a header field cannot have this value; nil if it can.
    static func problem(_ text: String) -> String? {
        if let index = text.utf8.firstIndex(where: { $0 < 0x20 || $0 == 0x7F }) {
            let character = String(decoding: [text.utf8[index]], as: UTF8.self).onOneLine
            let place = text.utf8.distance(from: text.utf8.startIndex, to: index) + 1
            return
                "contains the control character \(character) (byte \(place)), which no header field can have: remove it"
        }
        if text.hasPrefix(" ") || text.hasSuffix(" ") {
            return "begins or ends with a blank, which no header field can have: remove it"
        }
        return nil
    }
}

/// The syntax of registration tokens, installation ids, topic names and other values (docs/evidence/fcm.md §3.1).
package enum FCMSyntax {
    /// Whether this looks like a registration token: `ID:APA91…`, with 8 to 64 base64url characters before the colon
    /// and 85 to 1,005 after it. The limits are ours; the parts are from the SDK's source.
    package static func isToken(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        return parts.count == 2 && 8...64 ~= parts[0].count && parts[0].allSatisfy(isBase64URL)
            && parts[1].starts(with: "APA91".utf8) && 85...1005 ~= parts[1].count && parts[1].allSatisfy(isBase64URL)
    }

    /// Whether this looks like an installation id: 22 base64url characters, the first from c to f (from the SDK's
    /// source).
    package static func isInstallationID(_ text: String) -> Bool {
        text.utf8.count == 22 && text.utf8.allSatisfy(isBase64URL)
            && UInt8(ascii: "c")...UInt8(ascii: "f") ~= text.utf8.first ?? 0
    }

    /// Whether this is a topic name: 1 to 900 allowed characters (documented).
    package static func isTopic(_ text: String) -> Bool {
        1...900 ~= text.utf8.count && text.utf8.allSatisfy(isTopicCharacter)
    }

    static func isLabel(_ text: String) -> Bool { 1...50 ~= text.utf8.count && text.utf8.allSatisfy(isTopicCharacter) }

    static func isColor(_ text: String) -> Bool {
        let digits = text.utf8.dropFirst()
        return text.hasPrefix("#") && digits.count == 6
            && digits.allSatisfy { 0x30...0x39 ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0 | 0x20 }
    }

    static func isTopicCharacter(_ byte: UInt8) -> Bool {
        isBase64URL(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "~") || byte == UInt8(ascii: "%")
    }

    package static func isBase64URL(_ byte: UInt8) -> Bool {
        0x30...0x39 ~= byte || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: "_")
    }
}

/// Tokens that request an error (docs/faults.md): the word before the colon names the error. With `.apns` after the
/// word the answer has Apple's status and reason too.
enum FCMMagicToken {
    private static let table: [String: (error: GoogleError, apns: (Int, String))] = [
        "unregistered": (.unregistered, (410, "Unregistered")),
        "sender-id-mismatch": (.senderMismatch, (400, "DeviceTokenNotForTopic")),
        "quota-exceeded": (.deviceQuota, (429, "TooManyRequests")),
        "unavailable": (.unavailable, (503, "ServiceUnavailable")),
        "internal": (.internalError, (500, "InternalServerError")),
        "invalid-argument": (.invalidArgument, (400, "DeviceTokenNotForTopic")),
        "third-party-auth-error": (.thirdPartyAuth, (403, "InvalidProviderToken")),
    ]

    /// The maximum number of bytes of a magic token's word and its colon.
    private static let maximumLength = 40

    /// The part of a magic token that names the error.
    static func beginning(of token: String) -> String { "'\(token.prefix { $0 != ":" }):'" }

    static func error(_ token: String) -> GoogleError? {
        // Nearly all real tokens stop this loop early: their first part has capital letters or digits.
        var word = ""
        for byte in token.utf8.prefix(maximumLength) {
            if byte == UInt8(ascii: ":") {
                return error(forWord: word).map {
                    $0.with(
                        rule: $0.rule,
                        hint: "the token begins with \(beginning(of: token)), which asks for this answer")
                }
            }
            guard
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || byte == UInt8(ascii: "-")
                    || byte == UInt8(ascii: ".")
            else {
                return nil
            }
            word.unicodeScalars.append(Unicode.Scalar(byte))
        }
        return nil
    }

    private static func error(forWord word: String) -> GoogleError? {
        if let row = table[word] { return row.error }
        guard word.hasSuffix(".apns"), let row = table[String(word.dropLast(5))] else { return nil }
        return row.error.with(apns: row.apns.0, row.apns.1)
    }
}

/// What a registration token, an installation id or a topic name may look like (facts/fcm.md §3.1).
enum FCMSyntax {
    /// `id:APA91…`: 8 to 64 letters of base64url, then 80 to 1,000 more (the shape is ours, the parts are from code).
    static func isToken(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        return parts.count == 2 && 8...64 ~= parts[0].count && parts[0].allSatisfy(isBase64URL)
            && parts[1].starts(with: "APA91".utf8) && 85...1005 ~= parts[1].count && parts[1].allSatisfy(isBase64URL)
    }

    /// 22 letters of base64url, the first c to f (code).
    static func isInstallationID(_ text: String) -> Bool {
        text.utf8.count == 22 && text.utf8.allSatisfy(isBase64URL)
            && UInt8(ascii: "c")...UInt8(ascii: "f") ~= text.utf8.first ?? 0
    }

    /// 1 to 900 letters (documented).
    static func isTopic(_ text: String) -> Bool { 1...900 ~= text.utf8.count && text.utf8.allSatisfy(isTopicLetter) }

    static func isLabel(_ text: String) -> Bool { 1...50 ~= text.utf8.count && text.utf8.allSatisfy(isTopicLetter) }

    static func isColor(_ text: String) -> Bool {
        let digits = text.utf8.dropFirst()
        return text.hasPrefix("#") && digits.count == 6
            && digits.allSatisfy { 0x30...0x39 ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0 | 0x20 }
    }

    static func isTopicLetter(_ octet: UInt8) -> Bool {
        isBase64URL(octet) || octet == UInt8(ascii: ".") || octet == UInt8(ascii: "~") || octet == UInt8(ascii: "%")
    }

    private static func isBase64URL(_ octet: UInt8) -> Bool {
        0x30...0x39 ~= octet || UInt8(ascii: "a")...UInt8(ascii: "z") ~= octet | 0x20 || octet == UInt8(ascii: "-")
            || octet == UInt8(ascii: "_")
    }
}

/// Tokens that ask for an error, whatever else is registered (protocol.md): the word before the colon, with `.apns`
/// behind it what Apple said too.
enum FCMMagicToken {
    private static let table: [String: (error: GoogleError, apns: (Int, String))] = [
        "unregistered": (.unregistered, (410, "Unregistered")),
        "sender-id-mismatch": (.senderMismatch, (400, "DeviceTokenNotForTopic")),
        "quota-exceeded": (.quotaExceeded, (429, "TooManyRequests")),
        "unavailable": (.unavailable, (503, "ServiceUnavailable")),
        "internal": (.internalError, (500, "InternalServerError")),
        "invalid-argument": (.invalidArgument, (400, "DeviceTokenNotForTopic")),
        "third-party-auth-error": (.thirdPartyAuth, (403, "InvalidProviderToken")),
    ]

    /// The longest word there is.
    private static let longest = 40

    static func error(_ token: String) -> GoogleError? {
        // Nearly all tokens begin with an installation's id, which has capitals or digits.
        var word = ""
        for octet in token.utf8.prefix(longest) {
            if octet == UInt8(ascii: ":") { return row(word) }
            guard
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= octet || octet == UInt8(ascii: "-")
                    || octet == UInt8(ascii: ".")
            else {
                return nil
            }
            word.unicodeScalars.append(Unicode.Scalar(octet))
        }
        return nil
    }

    private static func row(_ word: String) -> GoogleError? {
        if let row = table[word] { return row.error }
        guard word.hasSuffix(".apns"), let row = table[String(word.dropLast(5))] else { return nil }
        return row.error.with(apns: row.apns.0, row.apns.1)
    }
}

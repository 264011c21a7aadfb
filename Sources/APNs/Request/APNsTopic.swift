internal import HTTPCore

/// A topic, split into the app's bundle id and the kind of push that its suffix stands for.
struct APNsTopic {
    let app: String
    /// Nil without a suffix: alerts, background pushes, MDM and passes.
    let kind: APNsPushType?

    /// The longest topic in bytes (assumed; Apple names no limit).
    static let maxLength = 255

    init(_ text: Span<UInt8>) {
        kind = Self.kind(text)
        app = text.extracting(0..<(text.count - (kind?.suffix.utf8.count ?? 0))).text
    }

    /// The push type whose suffix the topic ends in. The length of the part after the last dot rules out nearly every
    /// plain bundle id before any bytes are compared.
    private static func kind(_ text: Span<UInt8>) -> APNsPushType? {
        var dot = text.count - 1
        while dot > 0, text[dot] != UInt8(ascii: ".") { dot -= 1 }
        guard lengths & 1 << min(63, text.count - dot) != 0 else { return nil }
        for (ending, type) in APNsPushType.endings
        where text.count > ending.count && text.extracting((text.count - ending.count)...).starts(with: ending) {
            return type
        }
        return nil
    }

    /// A bit mask of the suffixes' lengths, each counted from the suffix's last dot to its end.
    private static let lengths: UInt64 = APNsPushType.endings.reduce(0) { bits, row in
        bits | 1 << UInt64(row.ending.count - (row.ending.lastIndex(of: UInt8(ascii: ".")) ?? 0))
    }

    /// The topic with its suffix.
    var fullName: String { app + (kind?.suffix ?? "") }

    /// At most `maxLength` letters, digits, dots, hyphens and underscores. These are the characters of bundle, pass and
    /// website ids (assumed).
    static func isWellFormed(_ text: Span<UInt8>) -> Bool {
        guard text.count <= maxLength else { return false }
        var invalid: UInt8 = 0
        var index = 0
        let end = text.count
        while index < end {
            let byte = text[index]
            let isLetter = (byte | 0x20) &- UInt8(ascii: "a") < 26
            let isOther =
                byte &- UInt8(ascii: "-") < 2 || byte &- UInt8(ascii: "0") < 10 || byte == UInt8(ascii: "_")
            invalid |= isLetter || isOther ? 0 : 1
            index &+= 1
        }
        return invalid == 0
    }
}

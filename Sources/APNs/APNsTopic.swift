internal import HTTPCore

/// A topic taken apart: the app's bundle id, and the kind of push its suffix stands for.
struct APNsTopic {
    let app: String
    /// Nil where there is no suffix: alerts, background pushes, MDM, passes.
    let kind: APNsPushType?

    /// Octets a topic may have at most (assumed; Apple names no limit).
    private static let longest = 255

    init(_ text: Span<UInt8>) {
        kind = Self.kind(text)
        app = text.extracting(0..<(text.count - (kind?.suffix.utf8.count ?? 0))).text
    }

    /// Whose suffix it ends in. What stands behind its last dot is hardly ever as long as that of any.
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

    /// A bit for each length that a suffix has from its last dot on.
    private static let lengths: UInt64 = APNsPushType.endings.reduce(0) { bits, row in
        bits | 1 << UInt64(row.ending.count - (row.ending.lastIndex(of: UInt8(ascii: ".")) ?? 0))
    }

    var whole: String { app + (kind?.suffix ?? "") }

    /// Letters, digits, dots, hyphens and underscores: what a bundle, pass or website id is made of (assumed).
    static func isWellFormed(_ text: Span<UInt8>) -> Bool {
        guard text.count <= longest else { return false }
        var strangers: UInt8 = 0
        var index = 0
        let end = text.count
        while index < end {
            let octet = text[index]
            let isLetter = (octet | 0x20) &- UInt8(ascii: "a") < 26
            let isOther =
                octet &- UInt8(ascii: "-") < 2 || octet &- UInt8(ascii: "0") < 10 || octet == UInt8(ascii: "_")
            strangers |= isLetter || isOther ? 0 : 1
            index &+= 1
        }
        return strangers == 0
    }
}

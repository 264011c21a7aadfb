internal import APNs
internal import PushCore

/// Inspects APNs device tokens, also in the wrong forms in which senders get them (docs/evidence/apns.md §2 and §2.2).
enum DeviceTokenInspection {
    /// How many hex digits a token has: those of 32 to 100 bytes.
    private static let lengths = 64...200
    private static let liveActivityLength = 160
    /// A text with fewer hex digits is more likely a word, such as "facade".
    private static let shortest = 20
    private static let longest = 4096

    private static func isDigit(_ byte: UInt8) -> Bool {
        0x30...0x39 ~= byte || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte | 0x20
    }

    private static func isSeparator(_ byte: UInt8) -> Bool { " -:\n\r\t".utf8.contains(byte) }

    private static func withoutPrefix(_ text: String) -> Substring {
        text.hasPrefix("0x") ? text.dropFirst(2) : text[...]
    }

    static func isHex(_ text: String) -> Bool {
        guard text.utf8.count >= shortest, text.utf8.count <= longest else { return false }
        let rest = withoutPrefix(text).utf8
        return rest.allSatisfy { isDigit($0) || isSeparator($0) } && rest.count(where: isDigit) >= shortest
    }

    static func inspectHex(_ subject: Subject, _ draft: inout InspectionDraft) {
        draft.kind = .apnsDeviceToken
        let digits = subject.text.utf8.filter(isDigit)
        if withoutPrefix(subject.text).utf8.count != subject.text.utf8.count || digits.count != subject.text.utf8.count
        {
            draft.add(DeviceTokenRule.separators)
        }
        checkLength(withoutPrefix(subject.text).utf8.filter(isDigit), &draft)
    }

    private static func checkLength(_ digits: [UInt8], _ draft: inout InspectionDraft) {
        draft.note("bytes: \(digits.count / 2)")
        if digits.count < lengths.lowerBound {
            draft.add(DeviceTokenRule.tooShort, String(digits.count))
        } else if digits.count > lengths.upperBound {
            draft.add(DeviceTokenRule.tooLong, String(digits.count))
        } else if !digits.count.isMultiple(of: 2) {
            draft.add(DeviceTokenRule.oddDigits, String(digits.count))
        } else if Set(Hex.decode(digits.span) ?? []).count == 1 {
            draft.add(DeviceTokenRule.placeholder)
        }
        if digits.count == liveActivityLength {
            draft.note(
                "This is the usual length of a Live Activity's token. Its topic ends in .push-type.liveactivity.")
        }
        guard !draft.hasErrors else { return }
        draft.note("A token does not show whether it is for the sandbox or for production.")
        draft.answer(.apple(.badDeviceToken, .documented, "if it is sent to the host of the other environment"))
        draft.answer(.apple(.deviceTokenNotForTopic, .documented, "if it belongs to another topic"))
        draft.answer(
            .google(
                "400 INVALID_ARGUMENT, The registration token is not a valid FCM registration token, if it is sent to "
                    + "FCM", .observed))
    }

    /// Whether iOS has printed the token like this: `<0123abcd …>`, or `{length = 32, bytes = 0x0123 … }`.
    static func isDescription(_ text: String) -> Bool {
        if text.hasPrefix("{length") && text.includes("bytes") { return true }
        return text.hasPrefix("<") && text.hasSuffix(">") && isHex(String(text.dropFirst().dropLast()))
    }

    static func inspectDescription(_ subject: Subject, _ draft: inout InspectionDraft) {
        draft.kind = .apnsDeviceToken
        if subject.text.hasPrefix("{") { return draft.add(DeviceTokenRule.shortened) }
        draft.add(DeviceTokenRule.description)
        let digits = subject.text.utf8.filter(isDigit)
        if !lengths.contains(digits.count) { checkLength(digits, &draft) }
    }

    /// Whether this is base64 of as many bytes as a token has.
    static func isBase64(_ text: String) -> Bool {
        guard 42...140 ~= text.utf8.count, let bytes = BinaryInspection.decode(text) else { return false }
        return lengths.contains(bytes.count &* 2)
    }

    static func inspectBase64(_ subject: Subject, _ draft: inout InspectionDraft) {
        draft.kind = .apnsDeviceToken
        draft.add(DeviceTokenRule.base64, String(BinaryInspection.decode(subject.text)?.count ?? 0))
    }
}

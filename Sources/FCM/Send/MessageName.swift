internal import HTTPCore
internal import PushCore

/// Makes message ids: the last part of an accepted message's name (docs/evidence/fcm.md §2.5, observed on each
/// platform).
enum MessageName {
    /// The last eight digits of the ids of data messages to Android.
    private static let dataMessageSuffix: UInt64 = 0xF9FD_7ECD

    static func make(
        for message: ParsedMessage, _ platform: FCMRegistration.Platform, at now: Timestamp,
        using generator: inout Random
    ) -> String {
        guard message.target.isSingle else {
            return String(1_000_000_000_000_000_000 + generator.next() % 8_000_000_000_000_000_000)
        }
        if message.isDryRun { return "fake_message_id" }
        // 16 digits are enough for times until the year 2286. Later times lose their first digits.
        let milliseconds = UInt64(max(0, now.milliseconds)) % 10_000_000_000_000
        let microseconds = milliseconds * 1000 + generator.next() % 1000
        let half = generator.next() & 0xFFFF_FFFF
        if platform == .web { return RandomID(using: &generator).text.lowercased() }
        var text = InlineArray<35, UInt8>(repeating: UInt8(ascii: "0"))
        write(microseconds, base: 10, to: &text, before: 18)
        // The id of a message to an iPhone consists of the digits only.
        guard platform == .android else { return text.span.extracting(2..<18).text }
        text[1] = UInt8(ascii: ":")
        text[18] = UInt8(ascii: "%")
        write(half, base: 16, to: &text, before: 27)
        write(message.traits.isNotification ? half : dataMessageSuffix, base: 16, to: &text, before: 35)
        return text.span.text
    }

    /// Writes the digits of a number so that the last one is just before `end`.
    private static func write(_ number: UInt64, base: UInt64, to text: inout InlineArray<35, UInt8>, before end: Int) {
        let digits = Hex.lower
        var (rest, index) = (number, end)
        while rest > 0 {
            index -= 1
            text[index] = digits[Int(rest % base)]
            rest /= base
        }
    }
}

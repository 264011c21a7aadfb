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
        let microseconds = UInt64(max(0, now.milliseconds)) * 1000 + generator.next() % 1000
        let half = generator.next() & 0xFFFF_FFFF
        if platform == .web { return RandomID(using: &generator).text.lowercased() }
        let text = [UInt8](capacity: 40) { output in
            guard platform == .android else { return append(microseconds, to: &output) }
            output.append(UInt8(ascii: "0"))
            output.append(UInt8(ascii: ":"))
            append(microseconds, to: &output)
            output.append(UInt8(ascii: "%"))
            append(hex: half, to: &output)
            append(hex: message.traits.isNotification ? half : dataMessageSuffix, to: &output)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends 16 decimal digits.
    private static func append(_ number: UInt64, to output: inout OutputSpan<UInt8>) {
        var digits = InlineArray<16, UInt8>(repeating: 0)
        var rest = number
        for index in (0..<16).reversed() {
            digits[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        for index in 0..<16 { output.append(digits[index]) }
    }

    /// Appends 8 hexadecimal digits.
    private static func append(hex number: UInt64, to output: inout OutputSpan<UInt8>) {
        let digits = Hex.lower
        for shift in stride(from: UInt64(28), through: 0, by: -4) {
            output.append(digits[Int(number >> shift & 15)])
        }
    }
}

/// Device tokens that ask for a refusal, like a payment sandbox's test cards: `dead`, the status in four digits, and in
/// two more which of its reasons. They come before the token's shape and the registry.
package enum MagicToken {
    /// What the first two digits behind the status stand for: `00` is this one, `01` and on the others of that status
    /// in the order of the reference's table.
    private static let first: [Int: APNsReason] = [
        400: .badDeviceToken, 403: .forbidden, 404: .badPath, 405: .methodNotAllowed, 410: .unregistered,
        413: .payloadTooLarge, 429: .tooManyRequests,
        500: .internalServerError, 503: .serviceUnavailable,
    ]

    /// Nil for a token that asks for nothing.
    static func reason(_ digits: Span<UInt8>) -> APNsReason? {
        guard digits.count >= 8, digits[0] | 0x20 == UInt8(ascii: "d") else { return nil }
        var text: [UInt8] = []
        for index in 0..<min(10, digits.count) { text.append(digits[index] | 0x20) }
        // Digits have the bit that makes letters small already.
        guard text.prefix(5).elementsEqual("dead0".utf8) else { return nil }
        guard let status = number(text[5..<8]), let reasons = reasons(status) else { return nil }
        let place = text.count == 10 ? number(text[8...]) ?? 0 : 0
        return reasons[place < reasons.count ? place : 0]
    }

    private static func reasons(_ status: Int) -> [APNsReason]? {
        guard let named = first[status] else { return nil }
        return [named] + APNsReason.allCases.filter { $0.status == status && $0 != named && $0.isOfDevicePush }
    }

    /// Every magic token and what it asks for, for the documentation.
    package static var table: [(token: String, reason: APNsReason)] {
        first.keys.sorted().flatMap { status in
            (reasons(status) ?? []).enumerated().map { place, reason in
                ("dead0\(status)" + (place < 10 ? "0" : "") + "\(place)", reason)
            }
        }
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}

/// Device tokens that ask for a refusal, like the test card numbers of a payment service.
///
/// A magic token begins with `dead0` and the status, such as `dead0410`. Two more digits can select one of the reasons
/// with that status. A magic token is recognized before the token's length is checked or the token is looked up.
package enum MagicToken {
    /// The reason for `00` (or no digits) after the status. `01` and up are the other reasons with that status, in the
    /// order of `APNsReason`.
    private static let standardReasons: [Int: APNsReason] = [
        400: .badDeviceToken, 403: .forbidden, 404: .badPath, 405: .methodNotAllowed, 410: .unregistered,
        413: .payloadTooLarge, 429: .tooManyRequests,
        500: .internalServerError, 503: .serviceUnavailable,
    ]

    /// The reason that a token asks for; nil for other tokens.
    static func reason(_ digits: Span<UInt8>) -> APNsReason? {
        guard digits.count >= 8, digits[0] | 0x20 == UInt8(ascii: "d") else { return nil }
        var text: [UInt8] = []
        for index in 0..<min(10, digits.count) { text.append(digits[index] | 0x20) }
        // 0x20 makes a letter lower case; digits have that bit already.
        guard text.prefix(5).elementsEqual("dead0".utf8) else { return nil }
        guard let status = number(text[5..<8]), let reasons = reasons(status) else { return nil }
        let index = text.count == 10 ? number(text[8...]) ?? 0 : 0
        return reasons[index < reasons.count ? index : 0]
    }

    private static func reasons(_ status: Int) -> [APNsReason]? {
        guard let standard = standardReasons[status] else { return nil }
        return [standard]
            + APNsReason.allCases.filter { $0.status == status && $0 != standard && $0.appliesToDevicePushes }
    }

    /// All magic tokens with their reasons, for the documentation.
    package static var table: [(token: String, reason: APNsReason)] {
        standardReasons.keys.sorted().flatMap { status in
            (reasons(status) ?? []).enumerated().map { index, reason in
                ("dead0\(status)" + (index < 10 ? "0" : "") + "\(index)", reason)
            }
        }
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}

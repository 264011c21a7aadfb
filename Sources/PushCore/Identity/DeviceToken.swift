/// An APNs device token of 32 bytes or more.
///
/// Most tokens have 32 bytes. Those are stored as four words, so that looking up a device allocates no array. The hash
/// covers every byte, because hashing only half of them would make sequential tokens collide.
package struct DeviceToken: Sendable, Hashable {
    private let words: Words
    /// The bytes from the 33rd on.
    private let rest: [UInt8]

    private struct Words: Sendable, Hashable {
        let a, b, c, d: UInt64
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(words)
        if !rest.isEmpty { hasher.combine(rest) }
    }

    /// A number that differs between most tokens. It takes much less time than a hash.
    package var spread: Int { Int(truncatingIfNeeded: words.d) }

    /// The number of hexadecimal digits that a token may have. Apple's device tokens have 64 today, and may get longer.
    package static let digits = 64...200

    /// Reads an even number of hexadecimal digits in upper or lower case. Nil for any other text.
    package init?(hex text: Span<UInt8>) {
        guard Self.digits ~= text.count, text.count.isMultiple(of: 2), Hex.isHex(text) else { return nil }
        words = Words(
            a: Hex.word(text, at: 0), b: Hex.word(text, at: 16), c: Hex.word(text, at: 32),
            d: Hex.word(text, at: 48))
        rest = text.count == 64 ? [] : Hex.decode(text.extracting(64..<text.count)) ?? []
    }

    /// The number of bytes in Apple's tokens. Tokens of Live Activities are longer (observed).
    package enum Length: Int {
        case device = 32
        case liveActivity = 80
    }

    /// A random token of that length.
    package init(_ length: Length = .device, using generator: inout some RandomNumberGenerator) {
        words = Words(a: generator.next(), b: generator.next(), c: generator.next(), d: generator.next())
        rest = (32..<length.rawValue).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    /// The token as hexadecimal digits in lower case.
    package var hex: String {
        let head = [words.a, words.b, words.c, words.d].flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * UInt64($0))) }
        }
        return Hex.encode(head + rest)
    }
}

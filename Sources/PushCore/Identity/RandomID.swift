/// 128 random bits as an id of 8-4-4-4-12 uppercase hexadecimal digits. Like Apple's ids, it has no UUID version and no
/// variant.
package struct RandomID: Sendable, Hashable {
    private let high: UInt64
    private let low: UInt64

    /// The number of characters.
    package static let count = 36

    package init(using generator: inout Random) {
        high = generator.next()
        low = generator.next()
    }

    fileprivate init(_ seed: UInt64, _ number: UInt64) {
        high = Random.mixed(seed &+ number &* Random.step)
        low = Random.mixed(seed &+ (number &+ 1) &* Random.step)
    }

    package func write(over text: inout MutableSpan<UInt8>, at start: Int) {
        // With this bounds check, the compiler can leave out the check for each character.
        precondition(start >= 0 && start <= text.count - Self.count)
        let middle = Self.digits(high & 0xFFFF_FFFF)
        let end = Self.digits(low >> 32)
        Self.write(Self.digits(high >> 32), 8, over: &text, at: start)
        Self.write(middle >> 32, 4, over: &text, at: start + 9)
        Self.write(middle, 4, over: &text, at: start + 14)
        Self.write(end >> 32, 4, over: &text, at: start + 19)
        Self.write(end, 4, over: &text, at: start + 24)
        Self.write(Self.digits(low & 0xFFFF_FFFF), 8, over: &text, at: start + 28)
        for dash in 0..<4 { text[start &+ 8 &+ 5 &* dash] = UInt8(ascii: "-") }
    }

    /// The same in lower case.
    package func writeLowercase(over text: inout MutableSpan<UInt8>, at start: Int) {
        write(over: &text, at: start)
        // This bit makes a letter lower-case. Digits and dashes have it already.
        for index in start..<start + Self.count { text[index] |= 0x20 }
    }

    /// The id as a JSON string.
    package func quoted(isLowercase: Bool) -> [UInt8] {
        var text = [UInt8](repeating: UInt8(ascii: "\""), count: Self.count + 2)
        var span = text.mutableSpan
        if isLowercase { writeLowercase(over: &span, at: 1) } else { write(over: &span, at: 1) }
        return text
    }

    package var text: String {
        var text = [UInt8](repeating: 0, count: Self.count)
        var span = text.mutableSpan
        write(over: &span, at: 0)
        return String(decoding: text, as: UTF8.self)
    }

    /// Writes the last `count` bytes of a word, the most significant first.
    private static func write(_ word: UInt64, _ count: Int, over text: inout MutableSpan<UInt8>, at start: Int) {
        for index in 0..<count {
            text[start &+ index] = UInt8(truncatingIfNeeded: word >> UInt64(8 * (count - 1 - index)))
        }
    }

    /// Turns 32 bits into eight uppercase digits in parallel: each byte gets four bits, then `0` is added, and 7 more
    /// for a letter.
    private static func digits(_ bits: UInt64) -> UInt64 {
        var spread = (bits | bits << 16) & 0x0000_FFFF_0000_FFFF
        spread = (spread | spread << 8) & 0x00FF_00FF_00FF_00FF
        spread = (spread | spread << 4) & 0x0F0F_0F0F_0F0F_0F0F
        let letters = ((spread &+ 0x0606_0606_0606_0606) >> 4) & 0x0101_0101_0101_0101
        return spread &+ 0x3030_3030_3030_3030 &+ letters &* 7
    }
}

/// Derives the ids of all pushes of a gateway from one seed.
package struct IDGenerator: Sendable {
    package let seed: UInt64

    package init(seed: UInt64) { self.seed = seed }

    package init(using generator: inout Random) { seed = generator.next() }

    /// The id of a push, for `apns-id` or `apns-request-id`. It is the same on every call, so the log does not have to
    /// store it.
    package func id(of push: PushID) -> RandomID { RandomID(seed, 4 &* push.number) }

    /// The `apns-unique-id` of a push, which only the sandbox sends.
    package func uniqueID(of push: PushID) -> RandomID { RandomID(seed, 4 &* push.number &+ 2) }
}

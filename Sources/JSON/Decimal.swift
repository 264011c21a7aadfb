/// Whole numbers in digits, eight at once: a division for each would take as long as everything else that is written.
package enum Decimal {
    /// Digits of the largest number.
    package static let most = 20

    package static func append(_ number: UInt64, to output: inout OutputSpan<UInt8>) {
        if number < 100_000_000 {
            let word = digits(UInt32(truncatingIfNeeded: number))
            let skipped = skipped(in: word)
            append(word, 8 &- skipped, after: skipped, to: &output)
        } else {
            append(number / 100_000_000, to: &output)
            append(digits(UInt32(truncatingIfNeeded: number % 100_000_000)), 8, after: 0, to: &output)
        }
    }

    /// False where it has not just as many digits, or more than eight.
    package static func write(_ number: UInt64, over octets: inout MutableSpan<UInt8>, _ range: Range<Int>) -> Bool {
        guard number < 100_000_000 else { return false }
        let word = digits(UInt32(truncatingIfNeeded: number))
        let skipped = skipped(in: word)
        guard range.count == 8 &- skipped else { return false }
        var rest = word >> UInt64(8 &* skipped)
        for index in range {
            octets[index] = digit(rest & 0xF)
            rest >>= 8
        }
        return true
    }

    /// Two digits.
    package static func append(pair number: UInt32, to output: inout OutputSpan<UInt8>) {
        output.append(digit(UInt64(number / 10)))
        output.append(digit(UInt64(number % 10)))
    }

    private static func append(_ word: UInt64, _ count: Int, after skipped: Int, to output: inout OutputSpan<UInt8>) {
        var rest = word >> UInt64(8 &* skipped)
        for _ in 0..<count {
            output.append(digit(rest & 0xF))
            rest >>= 8
        }
    }

    /// An octet for each of eight digits, the first one lowest: halves of four, then pairs, then single ones, each division
    /// by a constant and done for all of them in one multiplication.
    private static func digits(_ number: UInt32) -> UInt64 {
        let fours = UInt64(number / 10_000) | UInt64(number % 10_000) << 32
        let hundreds = (fours &* 10_486) >> 20 & 0x0000_007F_0000_007F
        let pairs = hundreds | (fours &- 100 &* hundreds) << 16
        let tens = (pairs &* 103) >> 10 & 0x000F_000F_000F_000F
        return tens | (pairs &- 10 &* tens) << 8
    }

    /// Zeros in front; the last digit stays.
    private static func skipped(in word: UInt64) -> Int { min(word.trailingZeroBitCount / 8, 7) }

    private static func digit(_ value: UInt64) -> UInt8 { UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value) }
}

/// Writes whole numbers as decimal digits, eight digits at a time.
///
/// This avoids a division for each digit, which is slow.
package enum Decimal {
    /// The number of digits of the largest `UInt64`.
    package static let maximumDigits = 20

    /// Appends `number` without leading zeros.
    package static func append(_ number: UInt64, to output: inout OutputSpan<UInt8>) {
        if number < 100_000_000 {
            let packed = digits(UInt32(truncatingIfNeeded: number))
            let leading = leadingZeros(in: packed)
            append(packed, 8 &- leading, after: leading, to: &output)
        } else {
            append(number / 100_000_000, to: &output)
            append(digits(UInt32(truncatingIfNeeded: number % 100_000_000)), 8, after: 0, to: &output)
        }
    }

    /// Overwrites `range` of `bytes` with the digits of `number`.
    ///
    /// - Returns: false, with `bytes` unchanged, if the number has more than eight digits or its digits do not fill
    ///   the range exactly.
    package static func write(_ number: UInt64, over bytes: inout MutableSpan<UInt8>, _ range: Range<Int>) -> Bool {
        guard number < 100_000_000 else { return false }
        let packed = digits(UInt32(truncatingIfNeeded: number))
        let leading = leadingZeros(in: packed)
        guard range.count == 8 &- leading else { return false }
        var rest = packed >> UInt64(8 &* leading)
        for index in range {
            bytes[index] = digit(rest & 0xF)
            rest >>= 8
        }
        return true
    }

    /// Appends exactly two digits; `number` must be below 100.
    package static func append(pair number: UInt32, to output: inout OutputSpan<UInt8>) {
        output.append(digit(UInt64(number / 10)))
        output.append(digit(UInt64(number % 10)))
    }

    private static func append(_ packed: UInt64, _ count: Int, after leading: Int, to output: inout OutputSpan<UInt8>) {
        var rest = packed >> UInt64(8 &* leading)
        for _ in 0..<count {
            output.append(digit(rest & 0xF))
            rest >>= 8
        }
    }

    /// Eight digits, one per byte, the first digit in the lowest byte.
    ///
    /// Splits the number into two groups of four digits, then four pairs, then eight digits. Each step divides all
    /// groups by a constant with one multiplication.
    private static func digits(_ number: UInt32) -> UInt64 {
        let fours = UInt64(number / 10_000) | UInt64(number % 10_000) << 32
        let hundreds = (fours &* 10_486) >> 20 & 0x0000_007F_0000_007F
        let pairs = hundreds | (fours &- 100 &* hundreds) << 16
        let tens = (pairs &* 103) >> 10 & 0x000F_000F_000F_000F
        return tens | (pairs &- 10 &* tens) << 8
    }

    /// How many leading zeros to leave out. The last digit always stays.
    private static func leadingZeros(in packed: UInt64) -> Int { min(packed.trailingZeroBitCount / 8, 7) }

    private static func digit(_ value: UInt64) -> UInt8 { UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value) }
}

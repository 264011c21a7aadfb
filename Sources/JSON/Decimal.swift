/// Whole numbers in digits, without a division by a number that only the running program knows: those take as long as
/// everything else that is written of a number.
package enum Decimal {
    /// Digits of the largest number.
    package static let most = 20

    package static func append(_ number: UInt64, to output: inout OutputSpan<UInt8>) {
        var octets = InlineArray<20, UInt8>(repeating: 0)
        var index = most
        var rest = number
        repeat {
            index &-= 1
            octets[index] = digit(rest % 10)
            rest /= 10
        } while rest > 0
        output.copy(octets.span.extracting(index..<most))
    }

    /// Two digits.
    package static func append(pair number: UInt32, to output: inout OutputSpan<UInt8>) {
        output.append(digit(UInt64(number / 10)))
        output.append(digit(UInt64(number % 10)))
    }

    private static func digit(_ value: UInt64) -> UInt8 { UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value) }
}

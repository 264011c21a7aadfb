import JSON
import Testing

/// Compares `Decimal` with the standard library's conversion.
@Suite struct DecimalTests {
    private static let numbers: [UInt64] =
        (0...19).flatMap { (digits: Int) -> [UInt64] in
            let power = (0..<digits).reduce(UInt64(1)) { power, _ in power * 10 }
            return [power - 1, power, power + 1, power / 3, power &* 7 / 10]
        } + [UInt64.max, UInt64.max - 1, 1 << 32, 99_999_999, 100_000_000, 1_000_000_000_000_000]

    @Test(arguments: numbers) func `a number is appended as its digits`(_ number: UInt64) {
        let text = [UInt8](capacity: Decimal.maximumDigits) { Decimal.append(number, to: &$0) }
        #expect(String(decoding: text, as: UTF8.self) == String(number))
    }

    @Test func `small numbers and pseudo-random large ones are appended as their digits`() {
        for number in UInt64(0)...20_000 {
            let text = [UInt8](capacity: Decimal.maximumDigits) { Decimal.append(number, to: &$0) }
            guard String(decoding: text, as: UTF8.self) == String(number) else {
                return #expect(Bool(false), "\(number)")
            }
        }
        var number: UInt64 = 1
        for _ in 0..<20_000 {
            number = (number &* 6_364_136_223_846_793_005 &+ 1) >> 3
            let text = [UInt8](capacity: Decimal.maximumDigits) { Decimal.append(number, to: &$0) }
            guard String(decoding: text, as: UTF8.self) == String(number) else {
                return #expect(Bool(false), "\(number)")
            }
        }
    }

    @Test(arguments: numbers) func `a number overwrites only a range of exactly as many digits`(_ number: UInt64) {
        let digits = String(number).utf8.count
        for width in 1...9 {
            var text = Array(repeating: UInt8(ascii: "x"), count: width + 2)
            var bytes = text.mutableSpan
            let fits = Decimal.write(number, over: &bytes, 1..<1 + width)
            #expect(fits == (width == digits && digits <= 8))
            if fits { #expect(String(decoding: text, as: UTF8.self) == "x\(number)x") }
        }
    }
}

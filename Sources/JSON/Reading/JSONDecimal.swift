/// A number as digits without trailing zeros, and the power of ten to multiply them by.
struct JSONDecimal {
    private var isNegative = false
    /// Nil if the digits do not fit into 64 bits.
    private var digits: UInt64? = 0
    private var exponent = 0

    /// - Parameter text: a number that follows JSON's grammar.
    init(_ text: ArraySlice<UInt8>) {
        var zeros = 0
        var isFraction = false
        for (index, byte) in zip(text.indices, text) {
            switch byte {
            case UInt8(ascii: "-"): isNegative = true
            case UInt8(ascii: "."): isFraction = true
            case UInt8(ascii: "e"), UInt8(ascii: "E"):
                exponent += zeros + JSONDecimal.exponent(text[(index + 1)...])
                return
            default:
                if isFraction { exponent -= 1 }
                append(byte - UInt8(ascii: "0"), &zeros)
            }
        }
        exponent += zeros
    }

    var exactInteger: Int64? {
        guard let digits else { return nil }
        guard digits != 0 else { return 0 }
        guard (0...18).contains(exponent) else { return nil }
        var magnitude = digits
        for _ in 0..<exponent {
            let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
            guard !overflow else { return nil }
            magnitude = product
        }
        guard isNegative else { return Int64(exactly: magnitude) }
        return magnitude == Int64.min.magnitude ? .min : Int64(exactly: magnitude).map { -$0 }
    }

    /// Counts zeros in `zeros` and appends them only when a nonzero digit follows.
    private mutating func append(_ digit: UInt8, _ zeros: inout Int) {
        guard digit != 0 else {
            if digits != 0 { zeros += 1 }
            return
        }
        for _ in 0..<zeros { appendPlace(0) }
        appendPlace(UInt64(digit))
        zeros = 0
    }

    private mutating func appendPlace(_ digit: UInt64) {
        guard let (product, overflow) = digits?.multipliedReportingOverflow(by: 10), !overflow else {
            digits = nil
            return
        }
        let (sum, carry) = product.addingReportingOverflow(digit)
        digits = carry ? nil : sum
    }

    /// The exponent's value, capped at 2^40. The cap changes no result: a number would need 2^40 digits to make up for
    /// a larger exponent, and a text has fewer than 2^32 bytes.
    private static func exponent(_ text: ArraySlice<UInt8>) -> Int {
        var value = 0
        for byte in text where byte != UInt8(ascii: "+") && byte != UInt8(ascii: "-") {
            value = min(value * 10 + Int(byte - UInt8(ascii: "0")), 1 << 40)
        }
        return text.first == UInt8(ascii: "-") ? -value : value
    }
}

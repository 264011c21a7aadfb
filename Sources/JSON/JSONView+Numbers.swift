extension JSONView {
    /// The number's text as it came, however large.
    package var numberText: ArraySlice<UInt8>? { kind == .number ? source : nil }

    /// A number written without fraction and exponent that fits.
    package var int64: Int64? { integer() }

    /// A number written without fraction and exponent that fits.
    package var uint64: UInt64? { integer() }

    /// A number written without fraction and exponent that fits.
    package var int: Int? { integer() }

    /// The nearest double; nil where the number is beyond the largest one.
    package var double: Double? {
        guard kind == .number else { return nil }
        guard let value = Double(String(decoding: source, as: UTF8.self)), value.isFinite else { return nil }
        return value
    }

    /// A number that is whole in value, however it is written: `1`, `1.0`, `10e-1` and `1e0` are all 1.
    ///
    /// Worked out in decimals, so nothing is rounded on the way.
    package var exactInteger: Int64? {
        guard kind == .number else { return nil }
        if node.flags.contains(.integer) { return integer() }
        return JSONDecimal(source).exactInteger
    }

    private func integer<Integer: FixedWidthInteger>() -> Integer? {
        guard kind == .number, node.flags.contains(.integer) else { return nil }
        var value: Integer = 0
        let isNegative = document.bytes[Int(node.start)] == UInt8(ascii: "-")
        for byte in isNegative ? source.dropFirst() : source {
            let digit = Integer(truncatingIfNeeded: byte - UInt8(ascii: "0"))
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) =
                isNegative ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
            guard !overflow, !carry else { return nil }
            value = sum
        }
        return value
    }
}

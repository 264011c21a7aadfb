extension JSONView {
    /// The text of a number as it was received, however large; nil for anything else.
    package var numberText: ArraySlice<UInt8>? { kind == .number ? source : nil }

    /// The number if it fits and is written without a fraction or exponent, else nil.
    package var int64: Int64? { integer() }

    /// The number if it fits and is written without a fraction or exponent, else nil.
    package var uint64: UInt64? { integer() }

    /// The number if it fits and is written without a fraction or exponent, else nil.
    package var int: Int? { integer() }

    /// The nearest double; nil if the number is too large for one.
    package var double: Double? {
        guard kind == .number else { return nil }
        guard let value = Double(String(decoding: source, as: UTF8.self)), value.isFinite else { return nil }
        return value
    }

    /// A whole number, however it is written: `1`, `1.0`, `10e-1` and `1e0` are all 1. Nil for anything else.
    ///
    /// Computed in decimal, so nothing is rounded.
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

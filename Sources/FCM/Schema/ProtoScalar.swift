internal import JSON
internal import PushCore

/// The JSON forms of scalar values that Google accepts (docs/evidence/fcm.md §2.2, from protobuf's source).
enum ProtoScalar {
    static func bool(_ value: JSONView) -> Bool? {
        value.bool ?? ["true": true, "false": false][value.string ?? ""]
    }

    static func int32(_ value: JSONView) -> Int32? {
        if let text = value.string { return Int32(text) }
        return value.exactInteger.flatMap { Int32(exactly: $0) }
    }

    static func float(_ value: JSONView) -> Double? {
        guard let text = value.string else { return value.kind == .number ? value.double : nil }
        if let named = ["NaN": Double.nan, "Infinity": .infinity, "-Infinity": -.infinity][text] { return named }
        let isNumber = text.utf8.allSatisfy { 0x30...0x39 ~= $0 || "+-.eE".utf8.contains($0) }
        return isNumber ? Double(text) : nil
    }

    /// The number of an enumeration value, given by its name in any case (with `-` or `_`), by a number, or by a number
    /// in a string.
    static func enumeration(_ value: JSONView, _ type: ProtoEnum) -> Int? {
        guard let text = value.utf8 else { return int32(value).map(Int.init) }
        return type.number(of: text) ?? int32(value).map(Int.init)
    }

    enum DurationFault: Error {
        case noUnit, seconds, fraction, range
        case type(String)

        var text: String {
            switch self {
            case .noUnit: "Illegal duration format; duration must end with 's'"
            case .seconds: "Invalid duration format, failed to parse seconds"
            case .fraction: "Invalid duration format, failed to parse nano seconds"
            case .range: "Duration value exceeds limits"
            case .type(let value): "Invalid data type for duration, value is \(value)"
            }
        }
    }

    /// Ten thousand years in seconds, protobuf's limit.
    private static let maximumSeconds: Int64 = 315_576_000_000

    /// A duration as whole seconds and the nanoseconds of its fraction, both negative for a negative duration.
    static func duration(_ value: JSONView) -> Result<(seconds: Int64, nanoseconds: Int64), DurationFault> {
        guard var text = value.utf8 else { return .failure(.type(value.shown)) }
        guard text.popLast() == UInt8(ascii: "s") else { return .failure(.noUnit) }
        let isNegative = text.first == UInt8(ascii: "-")
        if isNegative { text = text.dropFirst() }
        let whole = text.prefix { $0 != UInt8(ascii: ".") }
        guard let seconds = number(whole) else { return .failure(.seconds) }
        var nanoseconds: Int64 = 0
        if whole.count < text.count {
            let digits = text.dropFirst(whole.count + 1)
            guard digits.count <= 9, let fraction = number(digits) else { return .failure(.fraction) }
            nanoseconds = fraction
            for _ in digits.count..<9 { nanoseconds *= 10 }
        }
        guard seconds <= maximumSeconds else { return .failure(.range) }
        return .success(isNegative ? (-seconds, -nanoseconds) : (seconds, nanoseconds))
    }

    /// The number that 1 to 18 digits make; nil for any other text.
    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        guard 1...18 ~= digits.count else { return nil }
        var number: Int64 = 0
        for digit in digits {
            guard 0x30...0x39 ~= digit else { return nil }
            number = number * 10 + Int64(digit - 0x30)
        }
        return number
    }

    /// A time from the year 1 to 9999, protobuf's limits.
    static func timestamp(_ value: JSONView) -> Timestamp? {
        guard let text = value.string, !text.hasPrefix("0000") else { return nil }
        return Timestamp(parsing: text, allowsAnyYear: true)
    }
}

internal import JSON
internal import PushCore

/// What a scalar may be written as (facts/fcm.md §2.2: code).
enum ProtoScalar {
    static func bool(_ value: JSONView) -> Bool? {
        value.bool ?? ["true": true, "false": false][value.string ?? ""]
    }

    static func int32(_ value: JSONView) -> Int32? {
        if let text = value.string { return Int32(text) }
        return value.exactInteger.flatMap { Int32(exactly: $0) }
    }

    static func float(_ value: JSONView) -> Double? {
        if let text = value.string { return Double(text) }
        return value.kind == .number ? value.double : nil
    }

    /// Its number: by name in any case, with `-` for `_`, by number, or by a number in a string.
    static func enumeration(_ value: JSONView, _ type: ProtoEnum) -> Int? {
        if let text = value.string {
            let name = String(text.uppercased().map { $0 == "-" ? "_" : $0 })
            return type.values.firstIndex(of: name) ?? Int(text)
        }
        return value.exactInteger.map(Int.init)
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

    /// Ten thousand years, as protobuf has it.
    private static let longest: Int64 = 315_576_000_000

    /// In nanoseconds within a second, and whole seconds.
    static func duration(_ value: JSONView) -> Result<(seconds: Int64, nanoseconds: Int64), DurationFault> {
        guard let text = value.string else { return .failure(.type(value.shown)) }
        guard text.hasSuffix("s") else { return .failure(.noUnit) }
        let parts = text.dropLast().split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let isNegative = parts[0].hasPrefix("-")
        let digits = isNegative ? parts[0].dropFirst() : parts[0]
        guard isNumber(digits), let seconds = Int64(digits) else { return .failure(.seconds) }
        var nanoseconds: Int64 = 0
        if parts.count == 2 {
            guard isNumber(parts[1]), parts[1].count <= 9, let number = Int64(parts[1]) else { return .failure(.fraction) }
            nanoseconds = number
            for _ in parts[1].count..<9 { nanoseconds *= 10 }
        }
        guard seconds <= longest else { return .failure(.range) }
        return .success(isNegative ? (-seconds, -nanoseconds) : (seconds, nanoseconds))
    }

    private static func isNumber(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { 0x30...0x39 ~= $0 }
    }

    static func timestamp(_ value: JSONView) -> Timestamp? { value.string.flatMap(Timestamp.init(parsing:)) }
}

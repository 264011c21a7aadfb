/// Durations as people write them: `250ms`, `5s`, `1m`, `1h`.
package enum DurationText {
    private static let units: [(name: String, milliseconds: UInt64)] = [
        ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000),
    ]

    /// The duration in milliseconds. Nil if the text is not a whole number below 2^32 with a unit.
    package static func milliseconds(_ text: String) -> UInt64? {
        for unit in units where text.hasSuffix(unit.name) {
            let digits = text.dropLast(unit.name.count)
            // `UInt64.init` would accept a sign too.
            let isNumber = !digits.isEmpty && digits.utf8.allSatisfy { 0x30...0x39 ~= $0 }
            if isNumber, let count = UInt64(digits), count < 1 << 32 { return count * unit.milliseconds }
        }
        return nil
    }

    package static func text(_ milliseconds: UInt64) -> String {
        milliseconds.isMultiple(of: 1000) ? "\(milliseconds / 1000)s" : "\(milliseconds)ms"
    }
}

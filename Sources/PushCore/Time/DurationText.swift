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

    /// A duration for people, like `61 min 1 s`: exact below a second, rounded up to whole seconds below two hours, and
    /// rounded down to minutes or hours above that.
    package static func readable(_ milliseconds: UInt64) -> String {
        if milliseconds < 1000 { return "\(milliseconds) ms" }
        let seconds = milliseconds / 1000 + (milliseconds.isMultiple(of: 1000) ? 0 : 1)
        // The largest unit of which there are at least two, or the smallest one.
        let (name, size, inner, innerSize) = spans.first { seconds >= 2 * $0.size } ?? ("s", 1, "", 1)
        let rest = seconds % size / innerSize
        return "\(seconds / size) \(name)" + (rest == 0 ? "" : " \(rest) \(inner)")
    }

    /// Units in seconds, each with the next smaller one.
    private static let spans: [(name: String, size: UInt64, inner: String, innerSize: UInt64)] = [
        ("days", 86_400, "h", 3600), ("h", 3600, "min", 60), ("min", 60, "s", 1),
    ]

    package static func text(_ milliseconds: UInt64) -> String {
        milliseconds.isMultiple(of: 1000) ? "\(milliseconds / 1000)s" : "\(milliseconds)ms"
    }
}

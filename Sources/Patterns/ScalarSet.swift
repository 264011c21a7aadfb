/// A set of characters (Unicode scalars), as ranges in ascending order that do not touch.
struct ScalarSet: Sendable, Equatable {
    private(set) var ranges: [ClosedRange<UInt32>]

    private static let largest: UInt32 = 0x10FFFF

    init(_ ranges: [ClosedRange<UInt32>]) {
        self.ranges = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = self.ranges.last, range.lowerBound <= last.upperBound &+ 1 {
                self.ranges[self.ranges.count &- 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                self.ranges.append(range)
            }
        }
    }

    init(_ scalar: Unicode.Scalar) { ranges = [scalar.value...scalar.value] }

    private init(ascii ranges: ClosedRange<Unicode.Scalar>...) {
        self.init(ranges.map { $0.lowerBound.value...$0.upperBound.value })
    }

    static let digits = ScalarSet(ascii: "0"..."9")
    static let word = ScalarSet(ascii: "0"..."9", "A"..."Z", "_"..."_", "a"..."z")
    static let space = ScalarSet(ascii: "\t"..."\r", " "..." ")
    /// `.`
    static let any = ScalarSet(ascii: "\n"..."\n").inverted

    var inverted: ScalarSet {
        var (found, next): ([ClosedRange<UInt32>], UInt32) = ([], 0)
        for range in ranges {
            if range.lowerBound > next { found.append(next...range.lowerBound &- 1) }
            next = range.upperBound &+ 1
        }
        if next <= Self.largest { found.append(next...Self.largest) }
        return ScalarSet(found)
    }

    /// The character, if the set has only one.
    var only: UInt32? { ranges.count == 1 ? ranges.first.flatMap { $0.count == 1 ? $0.lowerBound : nil } : nil }

    func contains(_ scalar: UInt32) -> Bool {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low &+ high) / 2
            if ranges[middle].upperBound < scalar { low = middle &+ 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].lowerBound <= scalar
    }
}

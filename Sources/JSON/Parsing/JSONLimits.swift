/// Limits on a text; a text that exceeds one is refused.
package struct JSONLimits: Sendable {
    /// How many arrays and objects may be open at once. Default: 512.
    package var maximumDepth: Int
    /// The longest text in bytes. Default: 64 MiB. It must be below 4 GiB − 1, because positions have 32 bits.
    ///
    /// The parsed document takes 20 more bytes for each value or key (`JSONNode`): at most ten times the size of the
    /// text, for a text like `[0,0,0]`.
    package var maximumBytes: Int

    package init(maximumDepth: Int = 512, maximumBytes: Int = 64 << 20) {
        precondition(maximumDepth >= 0, "maximumDepth \(maximumDepth) is negative")
        precondition((0..<Int(UInt32.max)).contains(maximumBytes), "maximumBytes \(maximumBytes) is out of range")
        self.maximumDepth = maximumDepth
        self.maximumBytes = maximumBytes
    }
}

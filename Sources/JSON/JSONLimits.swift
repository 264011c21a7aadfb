/// What a text may cost before it is refused.
package struct JSONLimits: Sendable {
    /// How many arrays and objects may be open at once. Default: 512.
    package var maximumDepth: Int
    /// The longest text in bytes; at most 4 GiB less two, as positions are 32 bits. Default: 64 MiB.
    ///
    /// A tape takes 20 bytes a value or key, so at most ten times the text (`[0,0,0…`).
    package var maximumBytes: Int

    package init(maximumDepth: Int = 512, maximumBytes: Int = 64 << 20) {
        precondition(maximumDepth >= 0, "a depth of \(maximumDepth) is negative")
        precondition((0..<Int(UInt32.max)).contains(maximumBytes), "\(maximumBytes) bytes are out of range")
        self.maximumDepth = maximumDepth
        self.maximumBytes = maximumBytes
    }
}

/// The generator xoshiro256++: fast, seedable, and not for secrets. Ids come from it; keys come from OpenSSL.
package struct Random: RandomNumberGenerator, Sendable {
    private var state: (UInt64, UInt64, UInt64, UInt64)

    /// Fills the state from the seed with splitmix64.
    package init(seed: UInt64) {
        var seed = seed
        func next() -> UInt64 {
            seed &+= Self.step
            return Self.mixed(seed)
        }
        state = (next(), next(), next(), next())
    }

    /// - Parameter words: the four words of a generator's state.
    init(words: [UInt64]) { state = (words[0], words[1], words[2], words[3]) }

    /// The state.
    var words: [UInt64] { [state.0, state.1, state.2, state.3] }

    /// Splitmix64 maps numbers that grow by this step to numbers that look random.
    static let step: UInt64 = 0x9E37_79B9_7F4A_7C15

    static func mixed(_ number: UInt64) -> UInt64 {
        var mixed = number
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    package mutating func next() -> UInt64 {
        func rotated(_ value: UInt64, by count: UInt64) -> UInt64 { value << count | value >> (64 - count) }
        let result = rotated(state.0 &+ state.3, by: 23) &+ state.0
        let shifted = state.1 << 17
        state.2 ^= state.0
        state.3 ^= state.1
        state.1 ^= state.2
        state.0 ^= state.3
        state.2 ^= shifted
        state.3 = rotated(state.3, by: 45)
        return result
    }
}

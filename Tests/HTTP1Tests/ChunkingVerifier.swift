import Testing

/// Runs a parser over one input split in many ways and expects the same outcome each time: the whole input at once,
/// byte by byte, and in random pieces, some of them empty.
struct ChunkingVerifier {
    var randomCuts = 6
    let run: ([ArraySlice<UInt8>]) -> Outcome

    /// The events of the input, which must be the same however it is split.
    func outcome(
        of input: [UInt8], seed: UInt64 = 1, at location: SourceLocation = #_sourceLocation
    ) -> [String] {
        let whole = run([input[...]])
        let bytewise = run(input.indices.map { input[$0...$0] })
        #expect(bytewise == whole, "byte by byte", sourceLocation: location)
        var random = SplitMix64(seed: seed)
        for _ in 0..<randomCuts {
            let pieces = Self.cut(input, using: &random)
            let outcome = run(pieces)
            #expect(outcome == whole, "in pieces of \(pieces.map(\.count))", sourceLocation: location)
        }
        return whole.events
    }

    func outcome(of input: String, at location: SourceLocation = #_sourceLocation) -> [String] {
        outcome(of: Array(input.utf8), at: location)
    }

    static func cut(_ input: [UInt8], using random: inout SplitMix64) -> [ArraySlice<UInt8>] {
        let longest = Int.random(in: 1...40, using: &random)
        var pieces: [ArraySlice<UInt8>] = []
        var rest = input[...]
        while !rest.isEmpty {
            let count = min(rest.count, Int.random(in: 0...longest, using: &random))
            pieces.append(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        return pieces
    }
}

/// Runs a decoder over one input split in many ways, and finds a split that changes the outcome: the whole input at
/// once, byte by byte, and in random pieces, some of them empty.
package struct ChunkingVerifier<Output: Equatable> {
    package let run: ([ArraySlice<UInt8>]) -> Output
    package var randomSplits = 6
    /// Longer inputs are not split into single bytes, which would take too long.
    package var longestBytewise = Int.max

    package init(_ run: @escaping ([ArraySlice<UInt8>]) -> Output) { self.run = run }

    /// A split that led to another outcome than the whole input: the sizes of its pieces, and its outcome.
    package struct Difference: CustomStringConvertible {
        package let pieces: [Int]
        package let output: Output

        package var description: String { "in pieces of \(pieces): \(output)" }
    }

    /// - Returns: the outcome of the whole input, and the first split with another one.
    package func verify(_ input: [UInt8], seed: UInt64 = 1) -> (whole: Output, difference: Difference?) {
        let whole = run([input[...]])
        if input.count <= longestBytewise {
            let bytes = input.indices.map { input[$0...$0] }
            if let difference = difference(bytes, whole) { return (whole, difference) }
        }
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<randomSplits {
            if let difference = difference(Self.split(input, using: &generator), whole) { return (whole, difference) }
        }
        return (whole, nil)
    }

    private func difference(_ pieces: [ArraySlice<UInt8>], _ whole: Output) -> Difference? {
        let output = run(pieces)
        return output == whole ? nil : Difference(pieces: pieces.map(\.count), output: output)
    }

    /// Half of the splits have pieces of at most 40 bytes; the others have pieces of up to the whole input.
    private static func split(_ input: [UInt8], using generator: inout SeededGenerator) -> [ArraySlice<UInt8>] {
        let part = max(1, input.count / Int.random(in: 1...8, using: &generator))
        let longest = Bool.random(using: &generator) ? Int.random(in: 1...40, using: &generator) : part
        var pieces: [ArraySlice<UInt8>] = []
        var rest = input[...]
        while !rest.isEmpty {
            let count = min(rest.count, Int.random(in: 0...longest, using: &generator))
            pieces.append(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        return pieces
    }
}

@testable import WebSocket

/// The events that a decoder produced for an input, and the code of its error.
struct Outcome: Equatable, CustomStringConvertible {
    var events: [FrameDecoder.Event] = []
    var failure: UInt16?

    var description: String { "\(events.count) events \(events.prefix(4)), failure \(failure ?? 0)" }
}

/// Decodes an input at once, byte by byte and in random pieces, and reports a split with another outcome.
struct ChunkingVerifier {
    var expectsMask = false
    var limit = 1 << 20

    func outcome(of chunks: [ArraySlice<UInt8>]) -> Outcome {
        var decoder = FrameDecoder(expectsMask: expectsMask, messageLimit: limit)
        var outcome = Outcome()
        do throws(CloseCode) {
            for chunk in chunks {
                var offset = 0
                while let event = try decoder.next(chunk.span, from: &offset) { outcome.events.append(event) }
                precondition(offset == chunk.count, "\(offset) of \(chunk.count) bytes were read")
            }
        } catch {
            outcome.failure = error.rawValue
        }
        return outcome
    }

    /// - Returns: the outcome of the whole input, and the first split that led to another one, as the sizes of its
    ///   pieces.
    func verify(_ input: [UInt8], seed: UInt64 = 1, rounds: Int = 8) -> (outcome: Outcome, otherSplit: [Int]?) {
        let whole = outcome(of: [input[...]])
        var splits = [input.count < 5000 ? Array(repeating: 1, count: input.count) : []]
        var generator = SeededGenerator(seed)
        for _ in 0..<(input.count < 5000 ? rounds : 2) { splits.append(randomSplit(of: input.count, &generator)) }
        let other = splits.first { sizes in
            var start = 0
            let chunks = sizes.map { size in
                defer { start += size }
                return input[start..<(start + size)]
            }
            return outcome(of: chunks + [input[start...]]) != whole
        }
        return (whole, other)
    }

    private func randomSplit(of count: Int, _ generator: inout SeededGenerator) -> [Int] {
        var sizes: [Int] = []
        var left = count
        let largest = max(1, count / Int.random(in: 1...8, using: &generator))
        while left > 0 {
            sizes.append(Int.random(in: 0...min(left, largest), using: &generator))
            left -= sizes.last ?? 0
        }
        return sizes
    }
}

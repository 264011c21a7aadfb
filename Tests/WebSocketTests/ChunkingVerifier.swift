@testable import WebSocket

/// What a decoder made of an input: its events, and the code it refused it with.
struct Outcome: Equatable, CustomStringConvertible {
    var events: [FrameDecoder.Event] = []
    var failure: UInt16?

    var description: String { "\(events.count) events \(events.prefix(4)), failure \(failure ?? 0)" }
}

/// Decodes an input whole, byte by byte and cut at random, and tells where the outcomes part.
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

    /// - Returns: the outcome of the whole, and the first cut that made another one.
    func verify(_ input: [UInt8], seed: UInt64 = 1, rounds: Int = 8) -> (outcome: Outcome, parts: [Int]?) {
        let whole = outcome(of: [input[...]])
        var cuts = [input.count < 5000 ? Array(repeating: 1, count: input.count) : []]
        var generator = SeededGenerator(seed)
        for _ in 0..<(input.count < 5000 ? rounds : 2) { cuts.append(randomCut(of: input.count, &generator)) }
        let other = cuts.first { sizes in
            var start = 0
            let chunks = sizes.map { size in
                defer { start += size }
                return input[start..<(start + size)]
            }
            return outcome(of: chunks + [input[start...]]) != whole
        }
        return (whole, other)
    }

    private func randomCut(of count: Int, _ generator: inout SeededGenerator) -> [Int] {
        var sizes: [Int] = []
        var left = count
        let most = max(1, count / Int.random(in: 1...8, using: &generator))
        while left > 0 {
            sizes.append(Int.random(in: 0...min(left, most), using: &generator))
            left -= sizes.last ?? 0
        }
        return sizes
    }
}

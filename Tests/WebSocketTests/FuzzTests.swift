import TestSupport
import Testing

@testable import WebSocket

struct FuzzTests {
    private static let corpus: [[UInt8]] = [
        text("Grüße"), text("a", final: false) + frame(9, [1]) + more("ß"),
        close(1000, "bye".utf8) + frame(10, []),
        frame(2, Array(repeating: 9, count: 130)),
        frame(2, [1], final: false) + more("", final: false) + more("x"),
        [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58],
    ]

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `damaged frames never trap, and their outcome does not depend on how they are split`(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var failures: Set<UInt16> = []
        for round in 0..<150 {
            var input = Self.corpus.shuffled(using: &generator).prefix(2).flatMap { $0 }
            for _ in 0...Int.random(in: 0...3, using: &generator) {
                let place = Int.random(in: input.indices, using: &generator)
                switch Int.random(in: 0...2, using: &generator) {
                case 0: input[place] ^= 1 << UInt8.random(in: 0...7, using: &generator)
                case 1: input.remove(at: place)
                default: input.insert(UInt8.random(in: 0...255, using: &generator), at: place)
                }
            }
            var verifier = ChunkingVerifier.frames(expectsMask: round % 2 == 0, limit: 200)
            verifier.randomSplits = 3
            let (outcome, difference) = verifier.verify(input, seed: seed)
            #expect(difference == nil, "\(input)")
            if let failure = outcome.failure { failures.insert(failure) }
        }
        #expect(failures.isSubset(of: [1002, 1007, 1009]))
        #expect(failures.contains(1002))
    }
}

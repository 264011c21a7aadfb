import HTTP1
import TestSupport
import Testing

struct FuzzTests {
    private static let requests =
        (WellFormedRequestTests.heads + WellFormedRequestTests.connections + WellFormedRequestTests.bodies
        + MalformedHeadTests.encodings + MalformedBodyTests.chunks).map { Array($0.input.utf8) }
    private static let responses = ResponseParserTests.responses.map { Array($0.input.utf8) }

    /// Pieces of syntax that trip parsers more often than random bytes do.
    private static let fragments = [
        "\r\n", "\n", "\r", " ", "\t", ":", ",", ";", "\0", "0", "f", "\r\n\r\n", "chunked",
    ]
    .map { Array($0.utf8) }

    private static func mutate(_ input: [UInt8], with others: [[UInt8]], _ random: inout SeededGenerator)
        -> [UInt8]
    {
        var input = input
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let place = Int.random(in: 0...input.count, using: &random)
            let end = min(input.count, place + Int.random(in: 0...4, using: &random))
            switch Int.random(in: 0..<5, using: &random) {
            case 0: input.removeSubrange(place..<end)
            case 1: input.insert(UInt8.random(in: 0...255, using: &random), at: place)
            case 2: input.replaceSubrange(place..<end, with: fragments.randomElement(using: &random) ?? [])
            case 3: input.insert(contentsOf: input[place..<end], at: place)
            default:
                input.replaceSubrange(place..., with: others.randomElement(using: &random)?.suffix(30) ?? [])
            }
        }
        return input
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func `a mutated request never traps, and its outcome does not depend on how it is split`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for round in 0..<400 {
            var verifier = ChunkingVerifier.requests(limits: round % 3 == 0 ? .small : Limits())
            verifier.randomSplits = 2
            let pick = try #require(Self.requests.randomElement(using: &random))
            _ = verifier.outcome(of: Self.mutate(pick, with: Self.requests, &random), seed: random.next())
        }
    }

    @Test(arguments: [UInt64(4), 5])
    func `a mutated response never traps, and its outcome does not depend on how it is split`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for round in 0..<300 {
            var verifier = ChunkingVerifier.responses(limits: round % 3 == 0 ? .small : Limits())
            verifier.randomSplits = 2
            let pick = try #require(Self.responses.randomElement(using: &random))
            _ = verifier.outcome(of: Self.mutate(pick, with: Self.responses, &random), seed: random.next())
        }
    }
}

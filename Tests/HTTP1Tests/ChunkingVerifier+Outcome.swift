import TestSupport
import Testing

extension ChunkingVerifier<Outcome> {
    /// The events of the input, which must be the same however it is split.
    func outcome(
        of input: [UInt8], seed: UInt64 = 1, at location: SourceLocation = #_sourceLocation
    ) -> [String] {
        let (whole, difference) = verify(input, seed: seed)
        #expect(difference == nil, sourceLocation: location)
        return whole.events
    }

    func outcome(of input: String, at location: SourceLocation = #_sourceLocation) -> [String] {
        outcome(of: Array(input.utf8), at: location)
    }
}

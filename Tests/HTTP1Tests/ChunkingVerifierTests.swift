import TestSupport
import Testing

struct ChunkingVerifierTests {
    private let input = Array("GET / HTTP/1.1".utf8)

    @Test func `an outcome that depends on the split is found`() {
        #expect(ChunkingVerifier { $0.count }.verify(input).difference != nil)
    }

    @Test func `random splits have empty pieces, which single bytes do not have`() {
        let verifier = ChunkingVerifier { pieces in pieces.contains { $0.isEmpty } }
        #expect(verifier.verify(input).difference?.output == true)
    }

    @Test func `all pieces together are the input`() {
        let verifier = ChunkingVerifier { pieces in pieces.flatMap { Array($0) } }
        let (whole, difference) = verifier.verify(input)
        #expect(whole == input)
        #expect(difference == nil)
    }
}

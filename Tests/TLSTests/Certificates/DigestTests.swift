import PushCore
import TLS
import Testing

@Suite struct DigestTests {
    /// FIPS 180-2, appendix B, and the empty message.
    @Test(arguments: [
        ("", "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU"),
        ("abc", "ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0"),
    ])
    func `SHA-256 gives the digests of the standard`(message: String, digest: String) {
        #expect(Base64URL.encode(SHA256.digest(Array(message.utf8))) == digest)
    }

    @Test func `random bytes have the requested length and differ`() throws {
        let drawn = try (1...50).map { _ in try SecureRandom.bytes(16) }
        #expect(drawn.allSatisfy { $0.count == 16 })
        #expect(Set(drawn).count == 50)
    }
}

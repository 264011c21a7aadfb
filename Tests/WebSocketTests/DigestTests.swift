import Testing

@testable import WebSocket

struct DigestTests {
    @Test(arguments: [
        ("", 1, "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
        ("a", 1, "86f7e437faa5a7fce15d1ddcb9eaeaea377667b8"),
        ("abc", 1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
            "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
        ),
        ("The quick brown fox jumps over the lazy dog", 1, "2fd4e1c67a2d28fced849ee1bb76e7391b93eb12"),
        (
            "0123456701234567012345670123456701234567012345670123456701234567", 10,
            "dea356a2cddd90c7a7ecedc5ebb563934f460452"
        ),
        ("a", 55, "c1c8bbdc22796e28c0e15163d20899b65621d65a"),
        ("a", 56, "c2db330f6083854c99d4b5bfb6e8f29f201be699"),
        ("a", 63, "03f09f5b158a7a8cdad920bddc29b81c18a551f5"),
        ("a", 64, "0098ba824b5c16427bd7a1122a5a442a25ec644d"),
        ("a", 65, "11655326c708d70319be2610e8a57d9a5b959d3b"),
        ("a", 10_000, "a080cbda64850abb7b7f67ee875ba068074ff6fe"),
    ])
    func `SHA-1 gives the known digests`(_ text: String, _ times: Int, _ digest: String) {
        let hex = SHA1.digest(Array(String(repeating: text, count: times).utf8)).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        #expect(hex.joined() == digest)
    }

    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
        ("the sample nonce", "dGhlIHNhbXBsZSBub25jZQ=="),
    ])
    func `base64 has the padding of RFC 4648`(_ text: String, _ base64: String) {
        #expect(Base64.encode(Array(text.utf8)) == base64)
    }

    @Test func `base64 uses plus and slash for 62 and 63`() {
        #expect(Base64.encode([0xFB, 0xFF, 0xBF, 0x00, 0x10, 0x83]) == "+/+/ABCD")
    }
}

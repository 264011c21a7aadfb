import PushCore
import Testing

@testable import TLS

/// Encryption of messages for browsers.
@Suite struct WebPushCipherTests {
    private static func bytes(_ text: String) throws -> [UInt8] { try #require(Base64URL.decode(text.utf8)) }

    /// A key from its number and its point (RFC 5915).
    private static func key(_ number: [UInt8], _ point: [UInt8]) throws -> PrivateKey {
        let curve: [UInt8] = [0xA0, 0x0A, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
        let der = [0x30, 0x77, 0x02, 0x01, 0x01, 0x04, 0x20] + number + curve + [0xA1, 0x44, 0x03, 0x42, 0x00] + point
        var text = Base64URL.encode(der).replacing("-", with: "+").replacing("_", with: "/")
        while !text.utf8.count.isMultiple(of: 4) { text += "=" }
        let lines = [text.prefix(64), text.dropFirst(64).prefix(64), text.dropFirst(128)].joined(separator: "\n")
        return try PrivateKey(
            pem: Array("-----BEGIN EC PRIVATE KEY-----\n\(lines)\n-----END EC PRIVATE KEY-----\n".utf8))
    }

    /// The example of draft-ietf-webpush-encryption-04 §5.
    @Test func `the example of the draft is encrypted as in the draft`() throws {
        let point = try Self.bytes(
            "BNoRDbb84JGm8g5Z5CFxurSqsXWJ11ItfXEWYVLE85Y7CYkDjXsIEc4aqxYaQ1G8BqkXCJ6DPpDrWtdWj_mugHU")
        let sender = try Self.key(try Self.bytes("nCScek-QpEjmOOlT-rQ38nZzvdPlqa00Zy0i6m2OJvY"), point)
        let receiver = try Self.bytes(
            "BCEkBjzL8Z3C-oi2Q7oE5t2Np-p7osjGLg93qUP0wvqRT21EEWyf0cQDQcakQMqz4hQKYOQ3il2nNZct4HgAUQU")
        let cipher = try WebPushCipher(
            Array("I am the walrus".utf8), for: receiver, secret: try Self.bytes("R29vIGdvbyBnJyBqb29iIQ"),
            salt: try Self.bytes("lngarbyKfMoi9Z75xYXmkg"), from: sender)
        #expect(cipher.key == point)
        #expect(Base64URL.encode(cipher.body) == "6nqAQUME8hNqw5J3kl8cpVVJylXKYqZOeseZG8UueKpA")
    }

    @Test func `each push has its own salt and key`() throws {
        let receiver = try Self.bytes(
            "BCEkBjzL8Z3C-oi2Q7oE5t2Np-p7osjGLg93qUP0wvqRT21EEWyf0cQDQcakQMqz4hQKYOQ3il2nNZct4HgAUQU")
        let secret = [UInt8](repeating: 1, count: 16)
        let pushes = try (0..<2).map { _ in try WebPushCipher([1, 2, 3], for: receiver, secret: secret) }
        #expect(pushes[0].salt != pushes[1].salt && pushes[0].key != pushes[1].key)
        #expect(pushes.map(\.body.count) == [21, 21] && pushes.map(\.salt.count) == [16, 16])
    }

    @Test(arguments: [(4093, 4111), (4094, 4112 + 18), (4095, 4112 + 19)])
    func `long text takes several records, of which the last is not full`(text: Int, body: Int) throws {
        let receiver = try Self.bytes(
            "BCEkBjzL8Z3C-oi2Q7oE5t2Np-p7osjGLg93qUP0wvqRT21EEWyf0cQDQcakQMqz4hQKYOQ3il2nNZct4HgAUQU")
        let cipher = try WebPushCipher(
            [UInt8](repeating: 1, count: text), for: receiver, secret: [UInt8](repeating: 1, count: 16))
        #expect(cipher.body.count == body)
    }

    @Test(arguments: [[], [4] + [UInt8](repeating: 0, count: 64), [UInt8](repeating: 4, count: 66)])
    func `a key that is no point is refused`(receiver: [UInt8]) {
        #expect(throws: CryptoError.self) {
            try WebPushCipher([1], for: receiver, secret: [UInt8](repeating: 1, count: 16))
        }
    }
}

import PushCore
import Testing

@testable import TLS

/// Decrypting as a browser does. The example is that of RFC 8291, appendix A.
@Suite struct WebPushOpeningTests {
    private static func bytes(_ text: String) -> [UInt8] { Base64URL.decode(text.utf8) ?? [] }

    private static let body = bytes(
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )
    private static let key = bytes(
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4")
    private static let secret = bytes("BTBZMqHH6r4Tts7J_aSIgg")

    /// The receiver of the example. Its private key is in the form of SEC 1.
    private static func receiver(secret: [UInt8] = secret) -> WebPushCipher.Receiver {
        let head: [UInt8] = [0x30, 0x31, 0x02, 0x01, 0x01, 0x04, 0x20]
        let tail: [UInt8] = [0xA0, 0x0A, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
        let der = head + bytes("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94") + tail
        var text = Base64URL.encode(der).map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
        while !text.count.isMultiple(of: 4) { text.append("=") }
        let pem = "-----BEGIN EC PRIVATE KEY-----\n\(String(text))\n-----END EC PRIVATE KEY-----\n"
        return WebPushCipher.Receiver(privateKey: Array(pem.utf8), key: key, secret: secret)
    }

    @Test func `the example of RFC 8291 is decrypted`() throws {
        let text = try WebPushCipher.open(Self.body, for: Self.receiver())
        #expect(String(decoding: text, as: UTF8.self) == "When I grow up, I want to be a watermelon")
    }

    static let damaged: [(bytes: [UInt8], damage: WebPushCipher.Damage)] = [
        ([], .tooShort), (Array(body[..<20]), .tooShort), (Array(body[..<85]), .tooShort),
        (Array(body[..<86]), .tag), (Array(body.dropLast()), .tag),
        (Array(body[..<16]) + [0, 0, 0, 17] + body[20...], .recordSize(17)),
        (Array(body[..<20]) + [64] + body[21...], .keyLength(64)),
        (Array(body[..<30]) + [0] + body[31...], .keyIsNotOnCurve), (body + [0], .tag),
    ]

    @Test(arguments: damaged.indices) func `what is wrong is said`(_ index: Int) {
        #expect(throws: Self.damaged[index].damage) {
            _ = try WebPushCipher.open(Self.damaged[index].bytes, for: Self.receiver())
        }
    }

    @Test func `another secret does not fit`() {
        let other = Self.receiver(secret: [UInt8](repeating: 0, count: 16))
        #expect(throws: WebPushCipher.Damage.tag) { _ = try WebPushCipher.open(Self.body, for: other) }
    }

    @Test(arguments: [0, 1, 4093, 4094, 4095, 9000]) func `the older coding is decrypted, in any number of records`(
        count: Int
    ) throws {
        let own = try PrivateKey.generateP256()
        let receiver = WebPushCipher.Receiver(privateKey: try own.pem, key: try own.point, secret: Self.secret)
        let text = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let cipher = try WebPushCipher(text, for: try own.point, secret: Self.secret)
        func opened(_ salt: [UInt8], size: Int = 4096) throws -> [UInt8] {
            try WebPushCipher.openOld(cipher.body, salt: salt, key: cipher.key, size: size, for: receiver)
        }
        #expect(try opened(cipher.salt) == text)
        #expect(throws: WebPushCipher.Damage.tag) { _ = try opened([UInt8](repeating: 1, count: 16)) }
        #expect(throws: WebPushCipher.Damage.recordSize(2)) { _ = try opened(cipher.salt, size: 2) }
    }
}

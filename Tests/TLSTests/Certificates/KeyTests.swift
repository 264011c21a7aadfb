import PushCore
import TLS
import Testing

@Suite struct KeyTests {
    static let message = Array("header.payload".utf8)

    @Test(arguments: [SignatureEncoding.jose, .der])
    func `an ES256 signature verifies in both encodings, and only for its message and key`(encoding: SignatureEncoding)
        throws
    {
        let key = try PrivateKey.generateP256()
        #expect(key.algorithm == .es256)
        for _ in 0..<20 {
            let signature = try key.sign(Self.message, as: encoding)
            #expect((signature.count == 64) == (encoding == .jose))
            try expectVerifiesOnlyThis(signature, by: key, other: try PrivateKey.generateP256())
        }
    }

    @Test func `an RS256 signature verifies only for its message and key`() throws {
        let key = try PrivateKey.generateRSA2048()
        #expect(key.algorithm == .rs256)
        let signature = try key.sign(Self.message)
        #expect(signature.count == 256)
        #expect(try key.sign(Self.message, as: .der) == signature)
        try expectVerifiesOnlyThis(signature, by: key, other: try PrivateKey.generateP256())
    }

    private func expectVerifiesOnlyThis(_ signature: [UInt8], by key: PrivateKey, other: PrivateKey) throws {
        let publicKey = try PublicKey(pem: try key.publicKey.pem)
        #expect(publicKey.verify(signature, of: Self.message))
        #expect(!publicKey.verify(signature, of: Self.message + [0]))
        #expect(!publicKey.verify(signature, of: []))
        #expect(!other.publicKey.verify(signature, of: Self.message))
        #expect(!publicKey.verify([], of: Self.message))
        #expect(!publicKey.verify(signature.dropLast(), of: Self.message))
        #expect(!publicKey.verify(signature + [0], of: Self.message))
        var changed = signature
        changed[signature.count - 1] ^= 1
        #expect(!publicKey.verify(changed, of: Self.message))
        #expect(!publicKey.verify([UInt8](repeating: 0, count: signature.count), of: Self.message))
    }

    /// RFC 7515, appendix A.3.
    @Test func `the example signature of the JWS standard verifies`() throws {
        let x = "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"
        let y = "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"
        let input =
            "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFt"
            + "cGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
        let signature =
            "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
        let header: [UInt8] = [
            0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A,
            0x86,
            0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04,
        ]
        let point = try #require(Base64URL.decode(x.utf8)) + #require(Base64URL.decode(y.utf8))
        let body = Base64URL.encode(header + point)
            .map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
        // 91 bytes are 122 characters of base64 plus two of padding, which the URL form leaves out.
        let pem = "-----BEGIN PUBLIC KEY-----\n\(String(body))==\n-----END PUBLIC KEY-----\n"
        let key = try PublicKey(pem: Array(pem.utf8))
        #expect(key.verify(try #require(Base64URL.decode(signature.utf8)), of: Array(input.utf8)))
        #expect(!key.verify(try #require(Base64URL.decode(signature.utf8)), of: Array(input.utf8.dropLast())))
    }

    @Test func `a key can be read from its PEM`() throws {
        for key in [try PrivateKey.generateP256(), try PrivateKey.generateRSA2048()] {
            let pem = try key.pem
            #expect(String(decoding: pem, as: UTF8.self).hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
            let again = try PrivateKey(pem: pem)
            #expect(try again.pem == pem)
            #expect(key.publicKey.verify(try again.sign(Self.message), of: Self.message))
            let publicPEM = try key.publicKey.pem
            #expect(String(decoding: publicPEM, as: UTF8.self).hasPrefix("-----BEGIN PUBLIC KEY-----\n"))
        }
    }

    @Test func `a public key stays valid after its private key is freed`() throws {
        func made() throws -> (PublicKey, [UInt8]) {
            let key = try PrivateKey.generateP256()
            return (key.publicKey, try key.sign(Self.message))
        }
        let (key, signature) = try made()
        #expect(key.verify(signature, of: Self.message))
    }

    @Test func `a key of another kind can be read but cannot sign a token`() throws {
        let key = try PrivateKey(pem: Array(PEMFixture.ed25519Key.utf8))
        #expect(key.algorithm == nil)
        #expect(throws: CryptoError.self) { try key.sign(Self.message) }
        #expect(!key.publicKey.verify([UInt8](repeating: 1, count: 64), of: Self.message))
    }

    @Test(arguments: PEMFixture.garbage + [PEMFixture.encryptedKey, PEMFixture.voIPCertificate])
    func `text that is not a key is an error with its size`(text: String) throws {
        let bytes = Array(text.utf8)
        let error = try #require(throws: CryptoError.self) { try PrivateKey(pem: bytes) }
        #expect(error.description.contains("\(bytes.count) bytes"))
        #expect(!error.reason.isEmpty)
        #expect(throws: CryptoError.self) { try PublicKey(pem: bytes) }
    }

    @Test func `a key cut short anywhere is an error`() throws {
        let pem = try PrivateKey.generateP256().pem
        // Only the final newline may be missing.
        for count in 0..<(pem.count - 1) {
            #expect(throws: CryptoError.self) { try PrivateKey(pem: Array(pem.prefix(count))) }
        }
    }
}

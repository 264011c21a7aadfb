import TLS
import Testing

@Suite struct CertificateTests {
    @Test func `a certificate made by OpenSSL's command line is read`() throws {
        let certificate = try Certificate(pem: Array(PEMFixture.voIPCertificate.utf8))
        #expect(certificate.notBefore == 1_795_234_501)
        #expect(certificate.notAfter == 1_826_770_501)
        #expect(certificate.subject(.commonName) == "VoIP Services: com.fixture.app")
        #expect(certificate.subject(.userID) == "com.fixture.app")
        let linkLocal: [UInt8] = [0xFE, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]
        #expect(
            certificate.alternativeNames == [
                .dns("push.fixture.test"), .ip([10, 1, 2, 3]), .ip(linkLocal),
            ])
        let fingerprint = try certificate.fingerprint.map { String($0, radix: 16) }
        #expect(fingerprint.prefix(4) == ["6e", "d2", "e7", "c8"])
        #expect(fingerprint.count == 32)
        #expect(try certificate.publicKey.algorithm == .es256)
    }

    @Test func `PEM and DER are written back unchanged`() throws {
        let pem = Array(PEMFixture.voIPCertificate.utf8)
        let certificate = try Certificate(pem: pem)
        #expect(try certificate.pem == pem)
        #expect(try Certificate(der: certificate.der).pem == pem)
    }

    @Test func `every certificate of a chain is read in order, even with other text between them`() throws {
        let authority = try CertificateAuthority.create(now: 0)
        let client = try authority.issueClientCertificate(.init(topic: "a"), now: 0)
        let pem = Array("notes\n".utf8) + (try client.pem) + (try authority.certificate.pem)
        let chain = try Certificate.chain(pem: pem)
        let expected = [client.certificate, authority.certificate]
        #expect(try chain.map { try $0.der } == expected.map { try $0.der })
        #expect(throws: CryptoError.self) { try Certificate.chain(pem: pem.dropLast(30)) }
    }

    @Test(arguments: PEMFixture.garbage + [PEMFixture.encryptedKey, PEMFixture.ed25519Key])
    func `text that is not a certificate is an error with its size`(text: String) throws {
        let bytes = Array(text.utf8)
        let error = try #require(throws: CryptoError.self) { try Certificate(pem: bytes) }
        #expect(error.description.contains("\(bytes.count) bytes"))
        #expect(throws: CryptoError.self) { try Certificate.chain(pem: bytes) }
        #expect(throws: CryptoError.self) { try Certificate(der: bytes) }
    }

    @Test func `a PEM text of more than a mebibyte is refused`() throws {
        let bytes = try Certificate(pem: Array(PEMFixture.voIPCertificate.utf8)).pem
        let padding = [UInt8](repeating: 0x0A, count: (1 << 20) - bytes.count)
        #expect(try Certificate(pem: bytes + padding).pem == bytes)
        let error = try #require(throws: CryptoError.self) { try Certificate(pem: bytes + padding + [0x0A]) }
        #expect(error.reason == "larger than 1048576 bytes")
    }

    @Test func `DER that is cut short or too long is an error`() throws {
        let der = try Certificate(pem: Array(PEMFixture.voIPCertificate.utf8)).der
        for count in 0..<der.count {
            #expect(throws: CryptoError.self) { try Certificate(der: Array(der.prefix(count))) }
        }
        #expect(throws: CryptoError.self) { try Certificate(der: der + [0]) }
    }

    @Test func `an error names the operation, its input, and OpenSSL's reason and code`() throws {
        let error = try #require(throws: CryptoError.self) { try Certificate(pem: Array("hello".utf8)) }
        #expect(
            error.description
                == "cannot read a certificate (5 bytes of PEM): no start line [OpenSSL 0x480006C]")
    }
}

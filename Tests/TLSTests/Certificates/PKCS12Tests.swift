import TLS
import Testing

@Suite struct PKCS12Tests {
    static let now: Int64 = 1_800_000_000

    @Test func `a key and its certificate can be read only with the right password`() throws {
        let authority = try CertificateAuthority.create(now: Self.now)
        let client = try authority.issueClientCertificate(.init(topic: "a.b"), now: Self.now)
        let file = try PKCS12.make(
            key: client.key, certificate: client.certificate,
            password: "pushpit", friendlyName: "a.b")
        let again = try PKCS12.identity(from: file, password: "pushpit")
        #expect(try again.pem == client.pem)
        let error = try #require(throws: CryptoError.self) {
            try PKCS12.identity(from: file, password: "other")
        }
        #expect(error.reason.contains("mac verify failure"))
    }

    @Test func `a file cannot be made from a certificate and another key`() throws {
        let authority = try CertificateAuthority.create(now: Self.now)
        #expect(throws: CryptoError.self) {
            try PKCS12.make(
                key: try PrivateKey.generateP256(), certificate: authority.certificate, password: "p",
                friendlyName: "n")
        }
    }

    @Test func `a trust store contains the certificate, marked for Java, and no key`() throws {
        let authority = try CertificateAuthority.create(now: Self.now).certificate
        let file = try PKCS12.makeTrustStore([authority], password: "pushpit", friendlyName: "pushpit")
        #expect(contains(file, try authority.der))
        // An attribute: the identifier 2.16.840.1.113894.746875.1.1, and a set of one, 2.5.29.37.0.
        let trusted: [UInt8] = [
            0x06, 0x0C, 0x60, 0x86, 0x48, 0x01, 0x86, 0xF9, 0x66, 0xAD, 0xCA, 0x7B, 0x01, 0x01,
            0x31, 0x06, 0x06, 0x04, 0x55, 0x1D, 0x25, 0x00,
        ]
        #expect(contains(file, trusted))
        let error = try #require(throws: CryptoError.self) {
            try PKCS12.identity(from: file, password: "pushpit")
        }
        #expect(error.reason == "it does not contain a key with its certificate")
    }

    @Test func `readers that know only SHA-1 and 3DES can open both kinds of file`() throws {
        let authority = try CertificateAuthority.create(now: Self.now)
        let client = try authority.issueClientCertificate(.init(topic: "a.b"), now: Self.now)
        let file = try PKCS12.make(
            key: client.key, certificate: client.certificate, password: "pushpit", friendlyName: "a.b")
        let store = try PKCS12.makeTrustStore([authority.certificate], password: "pushpit", friendlyName: "pushpit")
        // The object identifiers of pbeWithSHAAnd3-KeyTripleDES-CBC, SHA-1, SHA-256 and PBES2.
        let tripleDES: [UInt8] = [0x06, 0x0A, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x0C, 0x01, 0x03]
        let sha1: [UInt8] = [0x06, 0x05, 0x2B, 0x0E, 0x03, 0x02, 0x1A]
        let sha256: [UInt8] = [0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01]
        let pbes2: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x05, 0x0D]
        for bytes in [file, store] {
            #expect(contains(bytes, sha1))
            #expect(!contains(bytes, sha256))
            #expect(!contains(bytes, pbes2))
        }
        #expect(contains(file, tripleDES))
    }

    @Test func `a file cut short anywhere is an error`() throws {
        let authority = try CertificateAuthority.create(now: Self.now)
        let file = try PKCS12.make(
            key: authority.key, certificate: authority.certificate, password: "p", friendlyName: "n")
        for count in stride(from: 0, to: file.count, by: 7) {
            #expect(throws: CryptoError.self) {
                try PKCS12.identity(from: Array(file.prefix(count)), password: "p")
            }
        }
    }

    private func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
        bytes.indices.contains { bytes[$0...].starts(with: part) }
    }
}

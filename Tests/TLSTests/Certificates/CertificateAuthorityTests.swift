import Testing

@testable import TLS

@Suite struct CertificateAuthorityTests {
    static let now: Int64 = 1_800_000_000
    static let day: Int64 = 86_400

    @Test func `an authority passes the strict checks and is valid for ten years`() throws {
        let authority = try CertificateAuthority.create(now: Self.now).certificate
        try authority.verify(against: authority, for: .authority, at: Self.now)
        #expect(authority.isSigned(by: authority))
        #expect(authority.notBefore == Self.now - 3_600)
        #expect(authority.notAfter == Self.now + 3_652 * Self.day)
        #expect(try #require(authority.subject(.commonName)).hasPrefix("Pushpit local CA "))
        #expect(authority.subject(.userID) == nil)
    }

    /// `openssl verify` accepts this one without `-x509_strict`.
    @Test func `certificates of an authority whose basic constraint is not critical are refused`() throws {
        let key = try PrivateKey.generateP256()
        let template = CertificateTemplate(
            subject: [(.commonName, "lax")], validity: .days(1, from: Self.now),
            fields: [
                .init(
                    kind: .basicConstraints, isCritical: false, value: CertificateFieldBytes.issuesLeavesOnly),
                .init(kind: .keyUsage, isCritical: true, value: CertificateFieldBytes.signsCertificates),
            ])
        let lax = try template.signed(for: key, by: nil)
        let authority = try CertificateAuthority(Identity(certificate: lax, key: key), now: Self.now)
        let server = try authority.issueServerCertificate(names: [.dns("localhost")], now: Self.now).certificate
        let error = try #require(throws: CryptoError.self) {
            try server.verify(against: lax, for: .server, at: Self.now)
        }
        #expect(error.reason == "Basic Constraints of CA cert not marked critical")
    }

    @Test func `two authorities differ in name, key and serial number`() throws {
        let first = try CertificateAuthority.create(now: Self.now)
        let second = try CertificateAuthority.create(now: Self.now)
        #expect(first.certificate.subject(.commonName) != second.certificate.subject(.commonName))
        #expect(try first.certificate.fingerprint != second.certificate.fingerprint)
        #expect(!first.certificate.isSigned(by: second.certificate))
    }

    @Test(arguments: [
        ("localhost", true), ("LOCALHOST", true), ("127.0.0.1", true), ("::1", true),
        ("0:0:0:0:0:0:0:1", true),
        ("api.push.apple.com", true), ("a.wild.test", true), ("wild.test", false), ("a.b.wild.test", false),
        ("127.0.0.2", false), ("::2", false), ("push.apple.com", false), ("", false), ("localhost\0", false),
        ("localhost\0.evil.test", false), ("Pushpit local server", false),
    ])
    func `a server certificate is valid only for its names`(host: String, isValid: Bool) throws {
        let names = ["localhost", "api.push.apple.com", "*.wild.test", "127.0.0.1", "::1"]
        let authority = try CertificateAuthority.create(now: Self.now)
        let server = try authority.issueServerCertificate(names: try names.map { try .init($0) }, now: Self.now)
        #expect(server.certificate.matches(host: host) == isValid)
    }

    @Test func `a server certificate passes the strict checks for servers only`() throws {
        let authority = try CertificateAuthority.create(now: Self.now)
        let server = try authority.issueServerCertificate(names: [.dns("localhost")], now: Self.now).certificate
        try server.verify(against: authority.certificate, for: .server, at: Self.now)
        #expect(server.isSigned(by: authority.certificate))
        #expect(server.notAfter - server.notBefore <= 825 * Self.day)
        #expect(throws: CryptoError.self) {
            try server.verify(against: authority.certificate, for: .client, at: Self.now)
        }
        #expect(throws: CryptoError.self) {
            try server.verify(against: authority.certificate, for: .authority, at: Self.now)
        }
        #expect(throws: CryptoError.self) { try authority.issueServerCertificate(names: [], now: Self.now) }
    }

    @Test func `a client certificate passes the strict checks for clients only`() throws {
        let authority = try CertificateAuthority.create(now: Self.now)
        let client = try authority.issueClientCertificate(.init(topic: "com.example.app"), now: Self.now).certificate
        try client.verify(against: authority.certificate, for: .client, at: Self.now)
        #expect(throws: CryptoError.self) {
            try client.verify(against: authority.certificate, for: .server, at: Self.now)
        }
    }

    @Test func `a certificate of another authority is refused`() throws {
        let authority = try CertificateAuthority.create(now: Self.now)
        let other = try CertificateAuthority.create(now: Self.now)
        let server = try other.issueServerCertificate(names: [.dns("localhost")], now: Self.now).certificate
        #expect(!server.isSigned(by: authority.certificate))
        #expect(throws: CryptoError.self) {
            try server.verify(against: authority.certificate, for: .server, at: Self.now)
        }
    }

    @Test(
        arguments: [
            (-3_601, "certificate is not yet valid"), (-3_600, nil), (0, nil), (800 * day - 1, nil),
            (800 * day + 1, "certificate has expired"),
        ] as [(Int64, String?)])
    func `a certificate is valid between its dates`(offset: Int64, reason: String?) throws {
        let authority = try CertificateAuthority.create(now: Self.now - Self.day)
        let server = try authority.issueServerCertificate(names: [.dns("localhost")], now: Self.now).certificate
        let time = Self.now + offset
        #expect(server.validity.contains(time) == (reason == nil))
        var found: String?
        do { try server.verify(against: authority.certificate, for: .server, at: time) } catch {
            found = error.reason
        }
        #expect(found == reason)
    }

    @Test func `a stored authority can be restored and issues certificates`() throws {
        let authority = try CertificateAuthority.create(now: Self.now)
        let pem = try Identity(certificate: authority.certificate, key: authority.key).pem
        let again = try CertificateAuthority(Identity(pem: pem), now: Self.now)
        let server = try again.issueServerCertificate(names: [.ip([127, 0, 0, 1])], now: Self.now).certificate
        try server.verify(against: authority.certificate, for: .server, at: Self.now)
    }

    @Test func `a leaf certificate is not an authority, and a key of another certificate is refused`() throws {
        let authority = try CertificateAuthority.create(now: Self.now)
        let client = try authority.issueClientCertificate(.init(topic: "a"), now: Self.now)
        #expect(throws: CryptoError.self) { try CertificateAuthority(client, now: Self.now) }
        #expect(throws: CryptoError.self) {
            try Identity(certificate: client.certificate, key: authority.key)
        }
    }

    @Test(arguments: [
        "", "a b", "a,b", "é.test", "a\0b", "1::2::3", "[::1]", String(repeating: "a", count: 254),
    ])
    func `a name that no host can have is refused`(name: String) {
        #expect(throws: CryptoError.self) { try SubjectAlternativeName(name) }
    }

    @Test func `dates beyond the year 9999 are refused`() throws {
        let authority = try CertificateAuthority.create(now: Self.now)
        let request = ClientCertificateRequest(
            topic: "a", validity: Validity(notBefore: 0, notAfter: 300_000_000_000))
        #expect(throws: CryptoError.self) { try authority.issueClientCertificate(request, now: Self.now) }
    }
}

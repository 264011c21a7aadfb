import TLS
import TestSupport
import Testing

@Suite struct ClientCertificateScopeTests {
    static let now: Int64 = 1_800_000_000

    private func scope(_ request: ClientCertificateRequest) throws -> ClientCertificateScope {
        let authority = try CertificateAuthority.create(now: Self.now)
        return try authority.issueClientCertificate(request, now: Self.now).certificate.apnsScope
    }

    @Test func `a default certificate allows the app's three topics in both environments`() throws {
        let scope = try scope(.init(topic: "com.example.app"))
        #expect(
            scope
                == ClientCertificateScope(
                    grants: [
                        TopicGrant("com.example.app", "app"), TopicGrant("com.example.app.voip", "voip"),
                        TopicGrant("com.example.app.complication", "complication"),
                    ],
                    environments: .both, defaultTopic: "com.example.app",
                    commonName: "Apple Push Services: com.example.app",
                    validity: .days(800, from: Self.now)))
        #expect(scope.topics == ["com.example.app", "com.example.app.voip", "com.example.app.complication"])
        #expect(scope.expiry == Self.now + 800 * 86_400)
    }

    @Test(arguments: [
        (PushEnvironments.development, "Apple Development IOS Push Services: a.b"),
        (.production, "Apple Production IOS Push Services: a.b"), (.both, "Apple Push Services: a.b"),
        (PushEnvironments(), "Apple Push Services: a.b"),
    ])
    func `the markers and the name follow the environments`(
        environments: PushEnvironments, commonName: String
    ) throws {
        let scope = try scope(.init(topic: "a.b", environments: environments))
        #expect(scope.environments == environments)
        #expect(scope.commonName == commonName)
    }

    @Test(arguments: [[], [TopicGrant("x", "app", "clip"), TopicGrant("y", kinds: [])]])
    func `the certificate lists the requested topics`(grants: [TopicGrant]) throws {
        let scope = try scope(.init(topic: "a", grants: grants))
        #expect(scope.grants == grants)
        #expect(scope.defaultTopic == "a")
    }

    @Test func `a bundle id longer than the usual limit of a common name is not shortened`() throws {
        let topic = "com." + String(repeating: "long.", count: 30) + "ünï"
        let scope = try scope(.init(topic: topic))
        #expect(scope.defaultTopic == topic)
        #expect(scope.commonName == "Apple Push Services: " + topic)
        #expect(throws: CryptoError.self) { try self.scope(.init(topic: "")) }
    }

    @Test func `a certificate is expired after its last second`() throws {
        let validity = Validity(notBefore: Self.now - 100, notAfter: Self.now - 1)
        let scope = try scope(.init(topic: "a", validity: validity))
        #expect(scope.validity == validity)
        #expect(scope.isExpired(at: Self.now))
        #expect(!scope.isExpired(at: Self.now - 1))
    }

    @Test func `both lists of topics are read from a certificate that OpenSSL made`() throws {
        let scope = try Certificate(pem: Array(PEMFixture.voIPCertificate.utf8)).apnsScope
        #expect(
            scope.grants == [
                TopicGrant("com.fixture.app", "app"), TopicGrant("com.fixture.app.clip", "app", "clip"),
                TopicGrant("com.fixture.app.voip", "voip"), TopicGrant("com.fixture.other.voip", "voip"),
            ])
        #expect(scope.environments == .production)
        #expect(scope.defaultTopic == "com.fixture.app")
    }

    @Test func `a server's certificate grants nothing`() throws {
        let authority = try CertificateAuthority.create(now: Self.now)
        let server = try authority.issueServerCertificate(names: [.dns("a")], now: Self.now).certificate
        let scope = try ClientCertificateScope(der: server.der)
        #expect(scope.grants.isEmpty && scope.environments.isEmpty && scope.defaultTopic == nil)
    }

    /// Changes, removes, inserts and repeats bytes, and uses whatever OpenSSL still accepts as a certificate.
    @Test(arguments: [UInt64](1...4))
    func `a mutated certificate never crashes the process`(seed: UInt64) throws {
        let original = try Certificate(pem: Array(PEMFixture.voIPCertificate.utf8)).der
        var generator = SeededGenerator(seed: seed)
        var accepted = 0
        var changed = 0
        for _ in 0..<2_500 {
            let der = mutated(original, using: &generator)
            guard let certificate = try? Certificate(der: der) else { continue }
            accepted += 1
            if certificate.apnsScope.topics.count != 4 { changed += 1 }
            _ = certificate.alternativeNames
            _ = certificate.matches(host: "push.fixture.test")
            _ = try? certificate.publicKey
            #expect(!certificate.isSigned(by: certificate) || der == original)
        }
        // Without accepted and changed certificates, the loop would test nothing.
        #expect(accepted > 200)
        #expect(changed > 20)
    }

    private func mutated(_ original: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
        var der = original
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
            let at = Int.random(in: 0..<der.count, using: &generator)
            switch Int.random(in: 0..<8, using: &generator) {
            case 0: der.remove(at: at)
            case 1: der.insert(UInt8.random(in: 0...255, using: &generator), at: at)
            case 2: der.append(contentsOf: der[at...].prefix(40))
            case 3, 4: der[at] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            default: der[at] = UInt8.random(in: 0...255, using: &generator)
            }
        }
        return der
    }
}

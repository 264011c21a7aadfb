import Platform
import TLS
import TestSupport
import Testing

@testable import Credentials

/// Certificates that are made again, and the authority that stays the same.
@Suite struct RenewalTests {
    private static let day: Int64 = 86_400
    private static let server = ["server.pem", "server-key.pem", "expired.pem"]
    private static let client = ["apns-client.pem", "apns-client.p12"]

    private func certificate(_ name: String, in scratch: Scratch) throws -> Certificate {
        try Certificate(pem: scratch.read(name) ?? [])
    }

    /// Replaces the server's certificate by one of the same authority without some names, as an older version made it.
    private func makeOld(_ scratch: Scratch) throws {
        let identity = try Identity(
            certificate: certificate("ca.pem", in: scratch), key: PrivateKey(pem: scratch.read("ca-key.pem") ?? []))
        let authority = try CertificateAuthority(identity, now: Scratch.now)
        let names = try ["localhost", "fcm.googleapis.com"].map { try SubjectAlternativeName($0) }
        let old = try authority.issueServerCertificate(names: names, now: Scratch.now)
        try scratch.write(try old.certificate.pem, "server.pem")
        try scratch.write(try old.key.pem, "server-key.pem")
    }

    @Test func `a certificate that lacks a name is made again, and the authority stays the same`() throws {
        let scratch = try Scratch.withSet()
        let authority = try scratch.read("ca.pem")
        let client = try scratch.read("apns-client.pem")
        try makeOld(scratch)
        #expect(try !certificate("server.pem", in: scratch).matches(host: "www.googleapis.com"))
        let credentials = try scratch.prepare()
        #expect(credentials.made == Self.server + ["pushpit.json"])
        #expect(credentials.notice == nil)
        #expect(try scratch.read("ca.pem") == authority)
        #expect(try scratch.read("apns-client.pem") == client)
        let server = try certificate("server.pem", in: scratch)
        for host in ["localhost", "www.googleapis.com", "accounts.google.com", "::1"] {
            #expect(server.matches(host: host), "\(host)")
        }
        #expect(try scratch.prepare().made.isEmpty)
    }

    @Test func `without the authority's key there is a new authority once, and one line says so`() throws {
        let scratch = try Scratch.withSet()
        let before = try scratch.read("ca.pem")
        try makeOld(scratch)
        scratch.remove("ca-key.pem")
        let credentials = try scratch.prepare()
        #expect(
            Set(credentials.made)
                == Set(["ca-key.pem", "ca.pem", "ca.p12", "pushpit.json"] + Self.server + Self.client))
        let notice = try #require(credentials.notice)
        #expect(notice.hasPrefix("\(scratch.path("ca.pem")) has changed, because the server certificate lacked "))
        #expect(!notice.contains("\n"))
        #expect(scratch.mode(of: "ca-key.pem") == 0o600)
        let authority = try scratch.read("ca.pem")
        #expect(authority != before)
        try makeOld(scratch)
        let again = try scratch.prepare()
        #expect(again.made == Self.server)
        #expect(again.notice == nil)
        #expect(try scratch.read("ca.pem") == authority)
    }

    @Test func `a directory without the key that has every name is left alone`() throws {
        let scratch = try Scratch.withSet()
        _ = try scratch.prepare()
        scratch.remove("ca-key.pem")
        let credentials = try scratch.prepare()
        #expect(credentials.made.isEmpty)
        #expect(credentials.notice == nil)
        #expect(!credentials.has("ca-key.pem"))
        #expect(credentials.has("ca.pem"))
    }

    @Test func `the user's own certificate is left alone, whatever its names`() throws {
        let scratch = try Scratch.withSet()
        let authority = try CertificateAuthority.create(now: Scratch.now)
        let client = try authority.issueClientCertificate(.init(topic: "localhost"), now: Scratch.now)
        let own = try authority.issueServerCertificate(
            names: [try SubjectAlternativeName("localhost")], now: Scratch.now)
        #expect(CertificateAuthority.made(authority.certificate, own.certificate))
        #expect(!CertificateAuthority.made(authority.certificate, client.certificate))
        #expect(!CertificateAuthority.made(try certificate("ca.pem", in: scratch), own.certificate))
        #expect(!CertificateAuthority.made(own.certificate, own.certificate))
    }

    @Test(arguments: ["server.pem", "server-key.pem", "apns-client.pem", "expired.pem"])
    func `what the authority signed is made again if it is missing`(name: String) throws {
        let scratch = try Scratch.withSet()
        _ = try scratch.prepare()
        let authority = try scratch.read("ca.pem")
        scratch.remove(name)
        let made = try scratch.prepare().made
        switch name {
        case "apns-client.pem": #expect(made == Self.client)
        case "expired.pem": #expect(made == ["expired.pem"])
        default: #expect(made == Self.server)
        }
        #expect(try scratch.read("ca.pem") == authority)
    }

    @Test func `certificates that have expired are made again`() throws {
        let scratch = try Scratch.withSet()
        _ = try scratch.prepare()
        let authority = try scratch.read("ca.pem")
        #expect(try scratch.prepare(at: Scratch.now + 799 * Self.day).made.isEmpty)
        let later = Scratch.now + 801 * Self.day
        #expect(try scratch.prepare(at: later).made == Self.server + Self.client)
        #expect(try scratch.prepare(at: later).made.isEmpty)
        #expect(try scratch.read("ca.pem") == authority)
        // The authority itself is good for ten years.
        let problem = scratch.problem(at: Scratch.now + 3700 * Self.day)
        #expect(problem?.contains("Delete ca.pem, server.pem, server-key.pem and apns-client.pem") == true)
    }

    @Test func `an authority's key that belongs to another certificate signs nothing`() throws {
        let scratch = try Scratch.withSet()
        try scratch.write(try PrivateKey.generateP256().pem, "ca-key.pem")
        scratch.remove("server.pem")
        #expect(scratch.problem()?.hasPrefix("\(scratch.path("server.pem")) is missing, and a new one") == true)
    }
}

import JSON
import Platform
import TLS
import TestSupport
import Testing

@testable import Credentials

/// The files in the directory of certificates: made where they are missing, and kept as they are otherwise.
@Suite struct CredentialsTests {
    private static let signed = ["ca.pem", "server.pem", "server-key.pem", "apns-client.pem"]
    private static let day: Int64 = 86_400

    @Test func `an empty directory gets every file, and keys are for their owner alone`() throws {
        let scratch = Scratch()
        let credentials = try scratch.prepare()
        let key = "AuthKey_\(credentials.keyID).p8"
        let secret = [
            "apns-client.p12", "apns-client.pem", "ca-key.pem", "expired.pem", "server-key.pem", "service-account.json",
            key,
        ]
        let open = ["ca.p12", "ca.pem", "pushpit.json", "server.pem"]
        #expect(scratch.names.sorted() == (secret + open).sorted())
        #expect(credentials.made.sorted() == scratch.names.sorted())
        #expect(credentials.filePurposes.map(\.file).sorted() == scratch.names.sorted())
        for name in secret { #expect(scratch.mode(of: name) == 0o600, "\(name)") }
        for name in open { #expect(scratch.mode(of: name) == 0o644, "\(name)") }
    }

    @Test func `a second start creates no files and reads the same credentials`() throws {
        let scratch = try Scratch.withSet()
        let first = try scratch.prepare()
        let files = try scratch.names.map { try scratch.read($0) }
        let second = try scratch.prepare()
        #expect(second.made.isEmpty)
        #expect(
            (second.keyID, second.teamID, second.topic, second.project) == (
                first.keyID, first.teamID, first.topic, first.project
            ))
        #expect(second.authority == first.authority)
        #expect(try scratch.names.map { try scratch.read($0) } == files)
    }

    @Test func `the index names the files of its directory`() throws {
        let scratch = try Scratch.withSet()
        let credentials = try scratch.prepare()
        #expect(credentials.made == ["pushpit.json"])
        let index = try JSONDocument(parsing: scratch.read("pushpit.json") ?? []).root
        #expect(index["ca"]?.string == scratch.path("ca.pem"))
        #expect(index["apns"]?["key"]?.string == scratch.path("AuthKey_\(credentials.keyID).p8"))
        #expect(index["apns"]?["keyId"]?.string == credentials.keyID)
        #expect(index["apns"]?["teamId"]?.string == credentials.teamID)
        #expect(index["fcm"]?["serviceAccount"]?.string == scratch.path("service-account.json"))
        for id in [credentials.keyID, credentials.teamID] { #expect(id.utf8.count == 10) }
    }

    @Test func `another port changes the service account's token address, and nothing else`() throws {
        let scratch = try Scratch.withSet()
        let before = try scratch.text("service-account.json")
        #expect(before.contains("https://localhost:2197/token"))
        let credentials = try scratch.prepare(port: 4000)
        #expect(!credentials.made.contains("service-account.json"))
        let after = try scratch.text("service-account.json")
        #expect(after == before.replacing("localhost:2197", with: "localhost:4000"))
        #expect(scratch.mode(of: "service-account.json") == 0o600)
    }

    @Test(arguments: signed)
    func `a missing certificate can't be created without the others and the authority's key`(name: String) throws {
        let scratch = try Scratch.withSet()
        scratch.remove("ca-key.pem")
        scratch.remove(name)
        let problem = try #require(scratch.problem())
        #expect(problem.hasPrefix("\(scratch.path(name)) is missing"))
        for other in Self.signed where other != name { #expect(problem.contains(other), "\(other)") }
        // As the message says: without the others, a new set is made.
        for other in Self.signed { scratch.remove(other) }
        let old = try scratch.read("ca.p12")
        let made = try scratch.prepare().made
        #expect(Set(made).isSuperset(of: Self.signed + ["ca-key.pem", "ca.p12", "apns-client.p12", "expired.pem"]))
        #expect(try scratch.read("ca.p12") != old)
    }

    @Test(arguments: ["ca.p12", "apns-client.p12", "pushpit.json"])
    func `files that can be derived from the others are created again`(name: String) throws {
        let scratch = try Scratch.withSet()
        let keyID = try scratch.prepare().keyID
        scratch.remove(name)
        let again = try scratch.prepare()
        #expect(again.made.contains(name))
        #expect(again.authority == (try scratch.read("ca.pem")))
        // Without the index, the ids of the key are not known: it gets others.
        #expect((again.keyID == keyID) == (name != "pushpit.json"))
    }

    @Test func `a provider key that is missing is replaced by one with another id`() throws {
        let scratch = try Scratch.withSet()
        let keyID = try scratch.prepare().keyID
        scratch.remove("AuthKey_\(keyID).p8")
        let again = try scratch.prepare()
        #expect(again.keyID != keyID)
        #expect(again.made.sorted() == ["AuthKey_\(again.keyID).p8", "pushpit.json"])
    }

    /// A file with other contents, and the beginning of the problem; DIR stands for the directory.
    @Test(
        arguments: [
            (
                "ca.pem", "nonsense",
                "DIR/ca.pem cannot be used: it is not a PEM file, which has a line with -----BEGIN. Delete ca.pem"
            ),
            (
                "server.pem", "nonsense",
                "DIR/server.pem cannot be used: it is not a PEM file, which has a line with -----BEGIN. Delete it"
            ),
            ("server-key.pem", "nonsense", "DIR/server-key.pem cannot be used"),
            ("ca-key.pem", "nonsense", "DIR/ca-key.pem cannot be used"),
            ("service-account.json", "{}", "DIR/service-account.json is not a service account"),
            ("service-account.json", "nonsense", "DIR/service-account.json is not a service account"),
            ("pushpit.json", "", "DIR/pushpit.json does not name a key"),
            ("pushpit.json", "nonsense", "DIR/pushpit.json does not name a key"),
            ("pushpit.json", #"{"apns":{"keyId":"ABCDE12345"}}"#, "DIR/pushpit.json does not name a key"),
        ])
    func `the error names the file that can't be read`(name: String, contents: String, expected: String) throws {
        let scratch = try Scratch.withSet()
        let names = scratch.names
        try scratch.write(Array(contents.utf8), name)
        let problem = try #require(scratch.problem())
        #expect(problem.hasPrefix(expected.replacing("DIR", with: scratch.directory)), "\(problem)")
        #expect(scratch.names.sorted() == names.sorted())
    }

    @Test func `files of two different sets are refused`() throws {
        let other = try CertificateAuthority.create(now: Scratch.now)
        let server = try other.issueServerCertificate(
            names: [try SubjectAlternativeName("localhost")], now: Scratch.now)
        let scratch = try Scratch.withSet()
        try scratch.write(try other.certificate.pem, "ca.pem")
        #expect(scratch.problem()?.contains("server.pem is not valid under \(scratch.path("ca.pem"))") == true)
        let keys = try Scratch.withSet()
        try keys.write(try server.key.pem, "server-key.pem")
        keys.remove("ca-key.pem")
        #expect(keys.problem()?.contains("\(keys.path("server-key.pem")) is not the key of") == true)
    }

    @Test(arguments: [(799, true), (801, false), (-2, false)] as [(Int64, Bool)])
    func `a set is valid from its creation for 800 days`(days: Int64, isGood: Bool) throws {
        let scratch = try Scratch.withSet()
        scratch.remove("ca-key.pem")
        let problem = scratch.problem(at: Scratch.now + days * Self.day)
        #expect((problem == nil) == isGood)
        if let problem { #expect(problem.contains("Delete ca.pem, server.pem, server-key.pem and apns-client.pem")) }
    }

    @Test func `certificates of the user's own are served too`() throws {
        let scratch = try Scratch.withSet()
        #expect(try scratch.prepare().servers.count == 1)
        let other = try CertificateAuthority.create(now: Scratch.now)
        let server = try other.issueServerCertificate(
            names: [try SubjectAlternativeName("push.test")], now: Scratch.now)
        try scratch.write(try server.certificate.pem, "server-own.pem")
        #expect(
            scratch.problem()
                == "\(scratch.path("server-own.pem")) has no key: put it into \(scratch.path("server-own-key.pem"))")
        try scratch.write(try PrivateKey.generateP256().pem, "server-own-key.pem")
        #expect(scratch.problem()?.contains("do not belong together") == true)
        try scratch.write(try server.key.pem, "server-own-key.pem")
        #expect(try scratch.prepare().servers.count == 2)
    }

    @Test func `the expired certificate has the same issuer, and has expired`() throws {
        let scratch = try Scratch.withSet()
        let authority = try Certificate(pem: scratch.read("ca.pem") ?? [])
        let expired = try Certificate(pem: scratch.read("expired.pem") ?? [])
        let server = try Certificate(pem: scratch.read("server.pem") ?? [])
        #expect(expired.isSigned(by: authority))
        #expect(server.isSigned(by: authority))
        #expect(expired.notAfter < Scratch.now)
        #expect(server.notAfter > Scratch.now)
        for host in ["localhost", "api.push.apple.com", "fcm.googleapis.com", "127.0.0.1"] {
            #expect(server.matches(host: host), "\(host)")
        }
        #expect(!server.matches(host: "example.com"))
        #expect(Credentials.expiredTLSContext(in: scratch.directory, now: Scratch.now) != nil)
        // A set that is older than this file gets one by another authority.
        scratch.remove("expired.pem")
        #expect(Credentials.expiredTLSContext(in: scratch.directory, now: Scratch.now) != nil)
        #expect(Credentials.untrustedTLSContext(now: Scratch.now) != nil)
    }

    @Test func `a directory that can't be made is a problem`() throws {
        let scratch = Scratch()
        try Files.write([], to: scratch.path("file"), mode: 0o600)
        let path = scratch.path("file/certs")
        let error = #expect(throws: Credentials.Problem.self) {
            try Credentials.prepare(in: path, for: .init().listening(on: Scratch.port), now: Scratch.now)
        }
        #expect(error?.description == "cannot make the directory \(path): Not a directory")
    }
}

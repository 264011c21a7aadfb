import Platform
import TLS
import TestSupport
import Testing

@testable import Credentials

/// The names that `--server-name` gives a gateway, and files that other users may read.
@Suite struct ServerNameTests {
    private func server(_ scratch: Scratch) throws -> Certificate {
        try Certificate(pem: try scratch.read("server.pem") ?? [])
    }

    private func needs(_ names: String...) -> Credentials.Needs {
        var needs = Credentials.Needs()
        needs.names = names
        return needs
    }

    @Test func `a certificate that lacks a server name is made again with it, once`() throws {
        let scratch = try Scratch.withSet()
        let authority = try scratch.read("ca.pem")
        _ = try scratch.prepare()
        #expect(try !server(scratch).matches(host: "pushpit"))
        let credentials = try scratch.prepare(for: needs("pushpit", "10.0.0.7", "fd00::7"))
        #expect(credentials.made == ["server.pem", "server-key.pem", "expired.pem"])
        #expect(credentials.notice == nil)
        for host in ["pushpit", "10.0.0.7", "fd00::7", "localhost", "fcm.googleapis.com"] {
            #expect(try server(scratch).matches(host: host), "\(host)")
        }
        #expect(try scratch.read("ca.pem") == authority)
        #expect(try scratch.prepare(for: needs("pushpit")).made.isEmpty)
    }

    @Test func `the names of another gateway stay when the certificate is made again`() throws {
        let scratch = try Scratch.withSet()
        _ = try scratch.prepare(for: needs("one"))
        #expect(try !scratch.prepare(for: needs("two")).made.isEmpty)
        #expect(try server(scratch).matches(host: "one") && server(scratch).matches(host: "two"))
        #expect(try scratch.prepare(for: needs("one")).made.isEmpty)
    }

    @Test(arguments: [
        (["pushpit", "other"], "https://pushpit:4000/token"), (["fd00::7"], "https://[fd00::7]:4000/token"),
        ([], "https://localhost:4000/token"),
    ]) func `the first name is in the service account`(names: [String], address: String) throws {
        let scratch = try Scratch.withSet()
        var needs = Credentials.Needs()
        needs.names = names
        _ = try scratch.prepare(port: 4000, for: needs)
        #expect(try scratch.text("service-account.json").contains("\"\(address)\""))
        #expect(try scratch.prepare(port: 4001, for: needs, running: [4000]).portFiles.otherPort == 4000)
    }

    @Test func `only the keys of senders are shared, and only if asked`() throws {
        let scratch = try Scratch.withSet()
        let credentials = try scratch.prepare()
        let senders = [
            "AuthKey_\(credentials.keyID).p8", "apns-client.pem", "apns-client.p12", "service-account.json",
        ]
        for name in senders { #expect(scratch.mode(of: name) == 0o600, "\(name)") }
        var shared = Credentials.Needs()
        shared.areShared = true
        _ = try scratch.prepare(for: shared)
        for name in senders { #expect(scratch.mode(of: name) == 0o644, "\(name)") }
        for name in ["ca-key.pem", "server-key.pem", "expired.pem"] {
            #expect(scratch.mode(of: name) == 0o600, "\(name)")
        }
        scratch.remove("apns-client.pem")
        scratch.remove("service-account.json")
        _ = try scratch.prepare(for: shared)
        for name in senders { #expect(scratch.mode(of: name) == 0o644, "\(name)") }
    }
}

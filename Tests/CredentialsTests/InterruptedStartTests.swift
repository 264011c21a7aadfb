import Platform
import TLS
import TestSupport
import Testing

@testable import Credentials

/// A start that was killed after any of its files leaves a directory that the next start completes.
@Suite struct InterruptedStartTests {
    /// Replays the first `count` writes of a start. Files are written whole, one after the other, in the order of `made`.
    private func replay(_ made: [String], of after: Scratch, first count: Int, in scratch: Scratch) throws {
        for name in made.prefix(count) { try scratch.write(after.read(name) ?? [], name) }
        // The next file was being written.
        try scratch.write([1], "\(made[min(count, made.count - 1)]).4321-89abcdef.new")
    }

    @Test func `a first start can be killed after each file`() throws {
        let whole = Scratch()
        let made = try whole.prepare().made
        #expect(made.last == "pushpit.json")
        for count in 0..<made.count {
            let scratch = Scratch()
            try replay(made, of: whole, first: count, in: scratch)
            let credentials = try DamagedSetTests.used(scratch)
            // Only the last file may be half of a pair, and be made again with the other half.
            for name in made.prefix(count).dropLast() {
                #expect(try scratch.read(name) == whole.read(name), "\(name) of \(count)")
            }
            let added = credentials.filePurposes.map(\.file)
            #expect(Set(scratch.names).isSuperset(of: added), "\(count)")
            #expect(!scratch.names.contains { $0.hasSuffix(".new") })
            #expect(try DamagedSetTests.used(scratch).made == [])
        }
    }

    /// A directory whose server certificate has expired, with or without the authority's key.
    @Test(arguments: [true, false]) func `a renewal can be killed after each file`(hasKey: Bool) throws {
        let later = Scratch.now + 801 * 86_400
        let before = try Scratch.withSet()
        _ = try before.prepare()
        if !hasKey {
            before.remove("ca-key.pem")
            try Self.makeOld(before)
        }
        let names = before.names
        let after = Scratch()
        for name in names { try after.write(before.read(name) ?? [], name) }
        let now = hasKey ? later : Scratch.now
        let made = try after.prepare(at: now).made.filter { $0 != "pushpit.json" }
        #expect(made.count == (hasKey ? 5 : 8), "\(made)")
        for count in 0...made.count {
            let scratch = Scratch()
            for name in names { try scratch.write(before.read(name) ?? [], name) }
            try replay(made, of: after, first: count, in: scratch)
            _ = try scratch.prepare(at: now)
            let root = try Certificate(pem: scratch.read("ca.pem") ?? [])
            let client = try Identity(pem: scratch.read("apns-client.pem") ?? [])
            #expect(client.certificate.isSigned(by: root), "\(count)")
            #expect(try scratch.prepare(at: now).made == [], "\(count)")
        }
    }

    /// Replaces the server's certificate by one without Google's names, for which a new authority is needed.
    private static func makeOld(_ scratch: Scratch) throws {
        let authority = try CertificateAuthority.create(now: Scratch.now)
        let old = try authority.issueServerCertificate(names: [SubjectAlternativeName("localhost")], now: Scratch.now)
        let client = try authority.issueClientCertificate(.init(topic: Credentials.topic), now: Scratch.now)
        try scratch.write(authority.certificate.pem, "ca.pem")
        try scratch.write(old.certificate.pem, "server.pem")
        try scratch.write(old.key.pem, "server-key.pem")
        try scratch.write(client.pem, "apns-client.pem")
    }

    @Test func `a directory that is being prepared is waited for, or named`() throws {
        let scratch = try Scratch.withSet()
        _ = try scratch.prepare()
        guard case .taken(let lock) = FileLock.take(scratch.path(Credentials.lockFile), patience: 0) else {
            Issue.record("the lock is not free")
            return
        }
        let error = #expect(throws: Credentials.Problem.self) {
            try Credentials.prepare(in: scratch.directory, for: .init(), now: Scratch.now, on: .reload)
        }
        #expect(error?.description.contains("\(scratch.path(".pushpit.lock")) is still locked") == true)
        withExtendedLifetime(lock) {}
    }

    @Test func `a reload repairs no certificate, and names it`() throws {
        let scratch = try Scratch.withSet()
        _ = try scratch.prepare()
        try scratch.write(PrivateKey.generateP256().pem, "server-key.pem")
        let key = try scratch.read("server-key.pem")
        let error = #expect(throws: Credentials.Problem.self) {
            try Credentials.prepare(in: scratch.directory, for: .init(), now: Scratch.now, on: .reload)
        }
        #expect(error?.description.contains("server-key.pem is not the key of") == true)
        #expect(try scratch.read("server-key.pem") == key)
        #expect(try scratch.prepare().made == ["server.pem", "server-key.pem", "expired.pem"])
    }

    @Test func `files of the user's own with similar names stay`() throws {
        let scratch = try Scratch.withSet()
        for name in ["ca.pem.new", "a.new", "ca.pem.1234.new", "ca.pem.x-y.new"] { try scratch.write([1], name) }
        try scratch.write([1], "ca.pem.1234-ff.new")
        _ = try scratch.prepare()
        #expect(
            scratch.names.filter { $0.hasSuffix(".new") } == [
                "a.new", "ca.pem.1234.new", "ca.pem.new", "ca.pem.x-y.new",
            ])
    }
}

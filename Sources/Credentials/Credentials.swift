internal import APNs
internal import JSON
internal import Platform
package import TLS

/// The keys and certificates in `--certs`, made where they are missing.
///
/// The authority's key is thrown away once it has signed: a developer who trusts `ca.pem` trusts nothing that
/// anybody could sign later.
package struct Credentials: Sendable {
    package let directory: String
    package let authority: [UInt8]
    /// The default first, then those a client's SNI may choose.
    let servers: [TLSIdentity]
    package let keyID: String
    package let teamID: String
    package let topic: String
    package let project: String
    /// What had to be made.
    package let made: [String]

    static let topic = "com.example.app"
    static let project = "pushpit-local"

    /// What is wrong with what is there.
    package struct Problem: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) { self.description = description }
    }

    package func path(_ name: String) -> String { "\(directory)/\(name)" }

    /// Reads what is there and makes what is missing. The three certificates are one set, signed at once.
    ///
    /// - Parameter port: where the token address of the service account points to.
    package static func prepare(in directory: String, port: UInt16, now: Int64) throws(Problem) -> Credentials {
        precondition(TLSLibrary.isStarted, "OpenSSL did not start")
        do {
            try Files.makeDirectory(directory)
            var maker = CredentialMaker(directory: directory, now: now)
            try maker.makeCertificates()
            let (keyID, teamID) = try maker.makeProviderKey()
            try maker.makeServiceAccount(port: port)
            try maker.writeIndex(keyID: keyID, teamID: teamID)
            guard let authority = try Files.read("\(directory)/ca.pem"),
                let chain = try Files.read("\(directory)/server.pem"),
                let key = try Files.read("\(directory)/server-key.pem")
            else { throw Problem(description: "a certificate vanished from \(directory)") }
            let identity = TLSIdentity(certificateChain: chain, privateKey: key)
            try check(authority, identity, directory, now)
            let credentials = Credentials(
                directory: directory, authority: authority, servers: [identity] + (try further(in: directory)),
                keyID: keyID, teamID: teamID,
                topic: topic, project: project, made: maker.made)
            _ = try credentials.tlsServerContext()
            return credentials
        } catch let problem as Problem {
            throw problem
        } catch {
            throw Problem(description: "\(error)")
        }
    }

    /// The user's own: `server-NAME.pem` beside `server-NAME-key.pem`, by any authority.
    private static func further(in directory: String) throws -> [TLSIdentity] {
        let marks = (start: "server-", key: "-key.pem", end: ".pem")
        return try Files.names(in: directory).compactMap { name in
            guard name.hasPrefix(marks.start), name.hasSuffix(marks.end), !name.hasSuffix(marks.key),
                name != marks.start + "key.pem"
            else { return nil }
            let path = "\(directory)/\(name)"
            let keyPath = String(path.dropLast(marks.end.count)) + marks.key
            guard let chain = try Files.read(path) else { return nil }
            guard let key = try Files.read(keyPath) else {
                throw Problem(description: "\(path) has no key beside it: put it into \(keyPath)")
            }
            let identity = TLSIdentity(certificateChain: chain, privateKey: key)
            do throws(TLSFailure) { _ = try TLSContext(server: [identity], clientAuthority: chain) } catch {
                throw Problem(description: "\(path) and \(keyPath) can't be used together: \(error)")
            }
            return identity
        }
    }

    private static func check(
        _ authority: [UInt8], _ server: TLSIdentity, _ directory: String, _ now: Int64
    ) throws(Problem) {
        let root = try reading("\(directory)/ca.pem") { () throws(CryptoError) in try Certificate(pem: authority) }
        let leaf = try reading("\(directory)/server.pem") { () throws(CryptoError) in
            try Certificate(pem: server.certificateChain)
        }
        do throws(CryptoError) { try leaf.verify(against: root, for: .server, at: now) } catch {
            throw Problem(
                description: "\(directory)/server.pem is not good under \(directory)/ca.pem: \(error.reason). "
                    + "Remove ca.pem, server.pem, server-key.pem and apns-client.pem to have new ones made.")
        }
        _ = try reading("\(directory)/server-key.pem") { () throws(CryptoError) in
            try PrivateKey(pem: server.privateKey)
        }
    }

    /// What is wrong with a file names it.
    package static func reading<Value>(
        _ path: String, _ read: () throws(CryptoError) -> Value
    ) throws(Problem) -> Value {
        do throws(CryptoError) { return try read() } catch {
            throw Problem(description: "\(path) can't be used: \(error)")
        }
    }

    /// What each file is for, in the order of the design.
    package var explained: [(file: String, purpose: String)] {
        [
            ("ca.pem", "the local authority: what senders have to trust"),
            ("ca.p12", "the same as a Java trust store (password pushpit)"),
            ("server.pem", "the server's certificate, for localhost and the vendors' names"),
            ("server-key.pem", "its key (server-NAME.pem and server-NAME-key.pem are yours to add, for other names)"),
            ("AuthKey_\(keyID).p8", "the key that signs APNs provider tokens: key id \(keyID), team id \(teamID)"),
            ("apns-client.pem", "an APNs client certificate with its key, for \(topic)"),
            ("apns-client.p12", "the same as PKCS#12 (password pushpit)"),
            ("service-account.json", "the account FCM senders sign in with, for the project \(project)"),
            ("expired.pem", "a server certificate that is over, with its key, for a fault that shows it"),
            ("pushpit.json", "all of this for programs to read"),
        ]
    }

    /// Our own key, and those named beside it.
    package func keyring(with others: [KeyFile]) throws(Problem) -> Keyring {
        let keyring = Keyring()
        let own = KeyFile(path: path("AuthKey_\(keyID).p8"), keyID: keyID, team: teamID)
        for file in [own] + others {
            do {
                guard let pem = try Files.read(file.path) else {
                    throw Problem(description: "there is no \(file.path)")
                }
                try Self.reading(file.path) { () throws(CryptoError) in
                    try keyring.add(ProviderKey(id: file.keyID, team: file.team), pem: pem)
                }
            } catch let problem as Problem { throw problem } catch { throw Problem(description: "\(error)") }
        }
        do {
            if let text = try Files.read(path("service-account.json")),
                let account = try? JSONDocument(parsing: text).root,
                let email = account["client_email"]?.string, let pem = account["private_key"]?.string
            {
                try Self.reading(path("service-account.json")) { () throws(CryptoError) in
                    try keyring.addAccount(email, pem: Array(pem.utf8))
                }
            }
        } catch let problem as Problem { throw problem } catch { throw Problem(description: "\(error)") }
        return keyring
    }

    /// Under an authority that is made for this and forgotten; nil where OpenSSL can't.
    package static func untrustedTLSContext(now: Int64) -> TLSContext? {
        guard let authority = try? CertificateAuthority.mint(now: now),
            let name = try? SubjectAlternativeName("localhost"),
            let server = try? authority.mintServer(names: [name], now: now),
            let chain = try? server.certificate.pem, let key = try? server.key.pem,
            let root = try? authority.certificate.pem
        else { return nil }
        return try? TLSContext(
            server: [TLSIdentity(certificateChain: chain, privateKey: key)], clientAuthority: root)
    }

    /// How long before now the certificate began that is over: longer than one is good.
    static let expiredFor: Int64 = 900 * 86_400

    /// With our authority's certificate that is over, or a stranger's where the set is older than that file.
    package static func expiredTLSContext(in directory: String, now: Int64) -> TLSContext? {
        let read = { (name: String) in try? Files.read("\(directory)/\(name)") }
        guard let pair = read("expired.pem"), let root = read("ca.pem") else {
            return untrustedTLSContext(now: now - expiredFor)
        }
        return try? TLSContext(server: [TLSIdentity(certificateChain: pair, privateKey: pair)], clientAuthority: root)
    }

    package func tlsServerContext() throws(Problem) -> TLSContext {
        do throws(TLSFailure) { return try TLSContext(server: servers, clientAuthority: authority) } catch {
            throw Problem(description: "\(path("server-key.pem")) is not the key of \(path("server.pem")): \(error)")
        }
    }
}

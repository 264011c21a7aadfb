internal import APNs
internal import JSON
internal import Platform
internal import PushCore
package import TLS

/// The keys and certificates in the `--certs` directory. Missing files are created.
///
/// The authority's key is kept (mode 0600), so that `ca.pem` stays the same when another certificate has to be made
/// again. A directory without that key works until a certificate has to be made again.
package struct Credentials: Sendable {
    package let directory: String
    package let authority: [UInt8]
    /// The default certificate first, then the additional certificates that a client can select by SNI.
    let servers: [TLSIdentity]
    package let keyID: String
    package let teamID: String
    package let topic: String
    package let project: String
    /// The names of the files that were missing and have been created.
    package let made: [String]
    /// What the user should know about the files; usually nil.
    package let notice: String?
    package let portFiles: PortFiles
    package let index: CredentialIndex

    /// The port in the `token_uri` of a service account that is made without a gateway, for example by `pushpit init`.
    static let usualPort: UInt16 = 2197
    static let topic = "com.example.app"
    static let project = "pushpit-local"

    /// Why the credentials cannot be used.
    package struct Problem: Error, CustomStringConvertible {
        package let description: String
        /// Whether a file is missing. The description then names no remedy: it depends on the gateway that is used.
        package var isIncomplete = false

        package init(description: String) { self.description = description }

        package static func missing(_ file: String, in directory: String) -> Problem {
            var problem = Problem(
                description: "\(directory) has no complete set of credentials (\(file) is missing or incomplete)")
            problem.isIncomplete = true
            return problem
        }
    }

    package func path(_ name: String) -> String { "\(directory)/\(name)" }

    /// Reads a key or certificate, and names the file in the error if that fails.
    ///
    /// - Parameter remedy: what to do about it, as a sentence.
    package static func reading<Value>(
        _ path: String, remedy: String? = nil, _ read: () throws(CryptoError) -> Value
    ) throws(Problem) -> Value {
        do throws(CryptoError) { return try read() } catch {
            let text = ((try? Files.read(path)) ?? nil).map { String(decoding: $0, as: UTF8.self) }
            let isPEM = text?.includes("-----BEGIN ") ?? true
            let reason = isPEM ? "\(error)" : "it is not a PEM file, which has a line with -----BEGIN"
            throw Problem(description: "\(path) cannot be used: \(reason)\(remedy.map { ". \($0)" } ?? "")")
        }
    }

    static let remake =
        "Delete ca.pem, server.pem, server-key.pem and apns-client.pem to make new ones, and trust the new ca.pem."
    static let remakeOne = "Delete it to make a new one."
    private static let remakeKey = "Delete it to make a new one, which has another key id."
    private static let keyRemedy = "Use the .p8 file from Apple, which begins with -----BEGIN PRIVATE KEY-----."

    /// Each file and its purpose.
    package var filePurposes: [(file: String, purpose: String)] {
        [
            ("ca.pem", "the local certificate authority, which senders must trust"),
            ("ca-key.pem", "the authority's key, which signs the certificates when they have to be made again"),
            ("ca.p12", "the authority as a Java trust store (password pushpit)"),
            (
                "server.pem",
                "the server certificate for localhost, this machine's name, and the host names of Apple, Google and Mozilla"
            ),
            (
                "server-key.pem",
                "the key of server.pem (add server-NAME.pem and server-NAME-key.pem for other host names)"
            ),
            ("AuthKey_\(keyID).p8", "the key that signs APNs provider tokens: key id \(keyID), team id \(teamID)"),
            ("apns-client.pem", "an APNs client certificate with its key, for \(topic)"),
            ("apns-client.p12", "the client certificate and key as PKCS#12 (password pushpit)"),
            ("service-account.json", "the service account for FCM senders, project \(project)"),
            ("expired.pem", "an expired server certificate with its key, for the fault that presents it"),
            ("pushpit.json", "the paths and ids of these credentials, for programs"),
        ]
    }

    /// Whether the file exists. A directory of an older version has no `ca-key.pem` until its certificates are remade.
    package func has(_ file: String) -> Bool { (try? Files.read(path(file))) ?? nil != nil }

    /// The keys that verify senders: the generated key, the service account and `others`.
    package func keyring(with others: [KeyFile]) throws(Problem) -> Keyring {
        let keyring = Keyring()
        let own = KeyFile(path: path("AuthKey_\(keyID).p8"), keyID: keyID, team: teamID)
        for file in [own] + others {
            do {
                guard let pem = try Files.read(file.path) else {
                    throw Problem(description: "\(file.path) does not exist")
                }
                try Self.reading(file.path, remedy: file.path == own.path ? Self.remakeKey : Self.keyRemedy) {
                    () throws(CryptoError) in
                    try keyring.add(ProviderKey(id: file.keyID, team: file.team), pem: pem)
                }
            } catch let problem as Problem { throw problem } catch { throw Problem(description: "\(error)") }
        }
        do {
            if let text = try Files.read(path("service-account.json")),
                let account = try? JSONDocument(parsing: text).root,
                let email = account["client_email"]?.string, let pem = account["private_key"]?.string
            {
                try Self.reading(path("service-account.json"), remedy: Self.remakeOne) { () throws(CryptoError) in
                    try keyring.addAccount(email, pem: Array(pem.utf8))
                }
            }
        } catch let problem as Problem { throw problem } catch { throw Problem(description: "\(error)") }
        return keyring
    }

    /// A server context with a certificate from a throwaway authority that no client trusts; nil if OpenSSL fails.
    package static func untrustedTLSContext(now: Int64) -> TLSContext? {
        guard let authority = try? CertificateAuthority.create(now: now),
            let name = try? SubjectAlternativeName("localhost"),
            let server = try? authority.issueServerCertificate(names: [name], now: now),
            let chain = try? server.certificate.pem, let key = try? server.key.pem,
            let root = try? authority.certificate.pem
        else { return nil }
        return try? TLSContext(
            server: [TLSIdentity(certificateChain: chain, privateKey: key)], clientAuthority: root)
    }

    /// How many seconds ago the expired certificate's validity began. That is longer than a certificate's lifetime.
    static let expiredCertificateAge: Int64 = 900 * 86_400

    /// A server context with the expired certificate. A directory that an older version made has no `expired.pem`. Then
    /// the certificate comes from a throwaway authority.
    package static func expiredTLSContext(in directory: String, now: Int64) -> TLSContext? {
        let read = { (name: String) in try? Files.read("\(directory)/\(name)") }
        guard let pair = read("expired.pem"), let root = read("ca.pem") else {
            return untrustedTLSContext(now: now - expiredCertificateAge)
        }
        return try? TLSContext(server: [TLSIdentity(certificateChain: pair, privateKey: pair)], clientAuthority: root)
    }

    package func tlsServerContext() throws(Problem) -> TLSContext {
        do throws(TLSFailure) { return try TLSContext(server: servers, clientAuthority: authority) } catch {
            throw Problem(description: "\(path("server-key.pem")) is not the key of \(path("server.pem")): \(error)")
        }
    }
}

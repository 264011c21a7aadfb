internal import Platform
internal import PushCore
internal import TLS

/// The authority, the certificates that it signs, and the PKCS#12 files with them.
extension CredentialMaker {
    /// The files that every set of certificates has. `ca.pem` cannot be replaced alone, because it signed the others.
    private static let required = ["ca.pem", "server.pem", "server-key.pem", "apns-client.pem"]
    private static let password = "pushpit"

    /// Creates the certificates that are missing, have expired, or lack a host name that is now needed.
    ///
    /// The authority's key is kept in `ca-key.pem`, so that `ca.pem` stays the same. A directory without that key,
    /// which an older version made, gets a new authority if its server certificate lacks a host name.
    mutating func makeCertificates() throws {
        let missing = try Self.required.filter { name in try read(name) == nil }
        if missing.count == Self.required.count { return try create(try newAuthority()) }
        let signer = try authority()
        if let signer {
            try renew(missing, with: signer)
        } else if !missing.isEmpty {
            throw problem(missing)
        } else if let name = try missingName() {
            try replaceAuthority(lacking: name)
        }
        try makePKCS12Files(checksOld: signer != nil)
        try noteMissingNames()
        if try signer == nil && notice == nil && isKeyOfAnotherAuthority() {
            note(
                "\(path("ca-key.pem")) is not the key of \(path("ca.pem")), so expired or missing certificates "
                    + "cannot be replaced. "
                    + "Restore the right ca-key.pem, or delete this one.")
        }
    }

    private func problem(_ missing: [String]) -> Credentials.Problem {
        Credentials.Problem(
            description:
                "\(path(missing[0])) is missing, and a new one that fits the other files cannot be made: restore it, "
                + "or delete " + Self.required.filter { !missing.contains($0) }.joined(separator: ", ")
                + " to make new certificates")
    }

    /// The authority of this directory. It is nil if a file is missing, if the key is not the key of `ca.pem`, or if
    /// `CertificateAuthority(_:now:)` refuses the identity (see there).
    private func authority() throws -> CertificateAuthority? {
        guard let certificate = try read("ca.pem"), let key = try read("ca-key.pem") else { return nil }
        let root = try Credentials.reading(path("ca.pem"), remedy: Credentials.remake) { () throws(CryptoError) in
            try Certificate(pem: certificate)
        }
        let signer = try Credentials.reading(path("ca-key.pem"), remedy: Self.withoutKey) { () throws(CryptoError) in
            try PrivateKey(pem: key)
        }
        guard let identity = try? Identity(certificate: root, key: signer) else { return nil }
        return try? CertificateAuthority(identity, now: now)
    }

    private static let withoutKey =
        "Restore it, or delete it: the certificates stay valid, but cannot be made again under the same ca.pem."

    /// A new authority, with its files.
    private mutating func newAuthority() throws -> CertificateAuthority {
        let authority = try CertificateAuthority.create(now: now)
        try write("ca-key.pem", authority.key.pem, for: .gateway)
        try write("ca.pem", authority.certificate.pem, for: .everyone)
        return authority
    }

    private mutating func create(_ authority: CertificateAuthority) throws {
        try makeServer(authority)
        try makeClient(authority)
        try makePKCS12Files(checksOld: true)
    }

    private mutating func renew(_ missing: [String], with authority: CertificateAuthority) throws {
        let hasServer = !missing.contains { $0.hasPrefix("server") }
        if try !hasServer || hasExpired(ownServer()) || missingName() != nil {
            try makeServer(authority)
        } else if repairs, let mismatch = try serverMismatch(authority.certificate) {
            try setAside("server-key.pem")
            try makeServer(authority)
            note(
                mismatch
                    + " A new server certificate and key have been made. The old key is in \(path("server-key.pem.old"))."
            )
        } else if try !fits("expired.pem", authority.certificate) {
            try makeExpired(authority)
        }
        if try missing.contains("apns-client.pem")
            || fits("apns-client.pem", authority.certificate) && clientHasExpired()
        {
            try makeClient(authority)
        } else if try repairs && !fits("apns-client.pem", authority.certificate) {
            try setAside("apns-client.pem")
            try makeClient(authority)
            note(
                "\(path("apns-client.pem")) was not a certificate of \(path("ca.pem")) with its key, "
                    + "so a new one has been made. "
                    + "The old file is in \(path("apns-client.pem.old")).")
        }
    }

    private func hasExpired(_ certificate: Certificate?) -> Bool { certificate.map { $0.notAfter < now } ?? false }

    private func clientHasExpired() throws -> Bool { try hasExpired(certificate("apns-client.pem")) }

    func certificate(_ name: String) throws -> Certificate? {
        guard let pem = try read(name) else { return nil }
        return try Credentials.reading(
            path(name), remedy: name == "ca.pem" ? Credentials.remake : Credentials.remakeOne
        ) { () throws(CryptoError) in
            try Certificate(pem: pem)
        }
    }

    /// The server certificate if Pushpit made it; nil if the user provided it.
    func ownServer() throws -> Certificate? {
        guard let server = try certificate("server.pem"), let root = try certificate("ca.pem"),
            CertificateAuthority.made(root, server)
        else { return nil }
        return server
    }

    /// Makes a new authority and new certificates, because the server certificate lacks a host name and the key that
    /// signed it was not kept.
    ///
    /// A directory that cannot be written to is used as it is.
    private mutating func replaceAuthority(lacking name: String) throws {
        let authority: CertificateAuthority
        do { authority = try newAuthority() } catch let failure as Files.Failure {
            note(
                "The server certificate in \(directory)/ lacks the host name \(name), "
                    + "and a new one cannot be made: \(failure)")
            return
        }
        try create(authority)
        note(
            "\(path("ca.pem")) has changed, because the server certificate lacked \(name), and the key that could sign a new "
                + "one was not kept. Senders must trust ca.pem again. From now on it stays the same.")
    }

    private mutating func makeServer(_ authority: CertificateAuthority) throws {
        let server = try authority.issueServerCertificate(names: names(), now: now)
        try write("server.pem", server.certificate.pem, for: .everyone)
        try write("server-key.pem", server.key.pem, for: .gateway)
        try makeExpired(authority)
    }

    /// The certificate for the fault that presents an expired one.
    private mutating func makeExpired(_ authority: CertificateAuthority) throws {
        let expired = try authority.issueServerCertificate(
            names: names(), now: now - Credentials.expiredCertificateAge)
        try write("expired.pem", expired.pem, for: .gateway)
    }

    private mutating func makeClient(_ authority: CertificateAuthority) throws {
        let client = try authority.issueClientCertificate(ClientCertificateRequest(topic: topic()), now: now)
        try write("apns-client.pem", client.pem, for: .senders)
    }

    /// Packs the certificates into PKCS#12 files for Java, Windows and Keychain.
    ///
    /// - Parameter checksOld: overwrite existing files that do not contain these certificates.
    private mutating func makePKCS12Files(checksOld: Bool) throws {
        guard let root = try certificate("ca.pem"), let client = try read("apns-client.pem") else { return }
        let hasStore = try read("ca.p12").map {
            !checksOld || PKCS12.isTrustStore($0, of: root, password: Self.password)
        }
        if hasStore != true {
            let store = try PKCS12.makeTrustStore([root], password: Self.password, friendlyName: "pushpit")
            try write("ca.p12", store, for: .everyone)
        }
        // The user may have replaced apns-client.pem. If it has no usable certificate, there is nothing to pack.
        guard let identity = try? Identity(pem: client) else { return }
        if let old = try read("apns-client.p12") {
            let packed = try? PKCS12.identity(from: old, password: Self.password)
            if try !checksOld || packed?.certificate.pem == identity.certificate.pem { return }
        }
        let container = try PKCS12.make(
            key: identity.key, certificate: identity.certificate, password: Self.password,
            friendlyName: topic())
        try write("apns-client.p12", container, for: .senders)
    }
}

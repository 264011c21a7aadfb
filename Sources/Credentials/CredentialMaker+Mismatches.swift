internal import Platform
internal import TLS

/// Files that do not belong together: a process was killed while it made them again, or somebody has replaced one.
extension CredentialMaker {
    /// Why the server certificate and its key cannot be used with this authority; nil if they can, or if the user
    /// provided the certificate.
    func serverMismatch(_ root: Certificate) throws -> String? {
        guard let server = try certificate("server.pem"), CertificateAuthority.isServer(server),
            let pem = try read("server-key.pem")
        else { return nil }
        let key = try Credentials.reading(path("server-key.pem"), remedy: Credentials.remakeOne) {
            () throws(CryptoError) in try PrivateKey(pem: pem)
        }
        if !server.isSigned(by: root) { return "\(path("ca.pem")) has not signed \(path("server.pem"))." }
        if !server.belongs(to: key) { return "\(path("server-key.pem")) was not the key of \(path("server.pem"))." }
        return nil
    }

    /// Whether the file has a certificate that this authority signed, and the key of that certificate.
    func fits(_ name: String, _ root: Certificate) throws -> Bool {
        guard let pem = try read(name), let identity = try? Identity(pem: pem) else { return false }
        return identity.certificate.isSigned(by: root)
    }

    /// Whether `ca-key.pem` exists, but is not the key of `ca.pem`.
    func isKeyOfAnotherAuthority() throws -> Bool {
        guard let root = try certificate("ca.pem"), let pem = try read("ca-key.pem") else { return false }
        guard let key = try? PrivateKey(pem: pem) else { return true }
        return !root.belongs(to: key)
    }

    /// Renames a file before it is made again, in case it was the user's own.
    func setAside(_ name: String) throws(Files.Failure) { try Files.rename(path(name), to: path(name) + ".old") }
}

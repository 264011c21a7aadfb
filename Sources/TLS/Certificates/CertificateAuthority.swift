internal import PushCore

/// Issues the certificates of one `--certs` directory. A machine trusts this authority only after its certificate is
/// installed on that machine.
package struct CertificateAuthority {
    package let certificate: Certificate
    package let key: PrivateKey

    private init(certificate: Certificate, key: PrivateKey) {
        self.certificate = certificate
        self.key = key
    }

    /// Restores an authority. Throws if the certificate is not allowed to issue others, or is not valid at `now`.
    package init(_ identity: Identity, now: Int64) throws(CryptoError) {
        try identity.certificate.verify(against: identity.certificate, for: .authority, at: now)
        self.init(certificate: identity.certificate, key: identity.key)
    }

    private static let commonName = "Pushpit local CA "
    private static let serverName = "Pushpit local server"

    /// Whether this type made both `root` and `server`. Compares their names and checks the signature of `server`.
    package static func made(_ root: Certificate, _ server: Certificate) -> Bool {
        root.subject(.commonName)?.hasPrefix(commonName) == true && isServer(server)
            && server.isSigned(by: root)
    }

    /// Whether the name of a certificate is that of Pushpit's servers. Any authority may have signed it.
    package static func isServer(_ certificate: Certificate) -> Bool { certificate.subject(.commonName) == serverName }

    /// Makes a new authority, valid for ten years, that can issue only leaf certificates.
    package static func create(now: Int64) throws(CryptoError) -> CertificateAuthority {
        let key = try PrivateKey.generateP256()
        let suffix = Base64URL.encode(try SecureRandom.bytes(6))
        let template = CertificateTemplate(
            subject: [(.commonName, commonName + suffix)],
            validity: .days(3_652, from: now),
            fields: [
                .init(kind: .basicConstraints, isCritical: true, value: CertificateFieldBytes.issuesLeavesOnly),
                .init(kind: .keyUsage, isCritical: true, value: CertificateFieldBytes.signsCertificates),
            ])
        return CertificateAuthority(certificate: try template.signed(for: key, by: nil), key: key)
    }

    /// Makes a TLS server certificate for `names`. It is valid for 800 days, because some platforms refuse more than
    /// 825.
    package func issueServerCertificate(
        names: [SubjectAlternativeName], now: Int64
    ) throws(CryptoError) -> Identity {
        guard !names.isEmpty else {
            throw CryptoError("make a server certificate", reason: "no host name is given")
        }
        return try issued(
            CertificateTemplate(
                subject: [(.commonName, Self.serverName)],
                validity: .days(800, from: now),
                fields: leafFields(usage: CertificateFieldBytes.serverAuthentication) + [
                    .init(
                        kind: .subjectAlternativeName, isCritical: false,
                        value: DERWriter.sequence(names.map(\.der)))
                ]))
    }

    /// Makes a provider's client certificate with the same fields as Apple's, valid for 800 days unless the request
    /// says otherwise.
    package func issueClientCertificate(
        _ request: ClientCertificateRequest, now: Int64
    ) throws(CryptoError) -> Identity {
        guard !request.topic.isEmpty else {
            throw CryptoError("make a client certificate", reason: "the topic is empty")
        }
        return try issued(
            CertificateTemplate(
                subject: [(.userID, request.topic), (.commonName, request.commonName)],
                validity: request.validity ?? .days(800, from: now),
                fields: leafFields(usage: CertificateFieldBytes.clientAuthentication) + request.fields))
    }

    private func issued(_ template: CertificateTemplate) throws(CryptoError) -> Identity {
        let key = try PrivateKey.generateP256()
        return try Identity(certificate: try template.signed(for: key, by: self), key: key)
    }

    private func leafFields(usage: [UInt8]) -> [CertificateTemplate.Field] {
        [
            .init(kind: .basicConstraints, isCritical: true, value: CertificateFieldBytes.issuesNothing),
            .init(kind: .keyUsage, isCritical: true, value: CertificateFieldBytes.signsHandshakes),
            .init(kind: .extendedKeyUsage, isCritical: false, value: usage),
        ]
    }
}

@available(*, unavailable) extension CertificateAuthority: Sendable {}
@available(*, unavailable) extension Identity: Sendable {}

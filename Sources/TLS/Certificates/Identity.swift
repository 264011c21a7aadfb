/// A certificate and its private key.
package struct Identity {
    package let certificate: Certificate
    package let key: PrivateKey

    package init(certificate: Certificate, key: PrivateKey) throws(CryptoError) {
        guard certificate.belongs(to: key) else {
            throw CryptoError(
                "use a certificate", with: certificate.subject(.commonName) ?? "no common name",
                reason: "the private key does not belong to the certificate")
        }
        self.certificate = certificate
        self.key = key
    }

    /// Reads the certificate and the key from one PEM text, in either order, as in `apns-client.pem`.
    package init(pem: [UInt8]) throws(CryptoError) {
        try self.init(certificate: Certificate(pem: pem), key: PrivateKey(pem: pem))
    }

    /// The certificate followed by the key: one file for `curl --cert` and Python's `load_cert_chain`.
    package var pem: [UInt8] {
        get throws(CryptoError) { try certificate.pem + key.pem }
    }
}

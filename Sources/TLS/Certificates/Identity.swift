/// A certificate and the key that belongs to it.
package struct Identity {
    package let certificate: Certificate
    package let key: PrivateKey

    package init(certificate: Certificate, key: PrivateKey) throws(CryptoError) {
        guard certificate.belongs(to: key) else {
            throw CryptoError(
                "use a certificate", with: certificate.subject(.commonName) ?? "no common name",
                reason: "the private key is not the certificate's")
        }
        self.certificate = certificate
        self.key = key
    }

    /// Both from one PEM text, as in `apns-client.pem`, in either order.
    package init(pem: [UInt8]) throws(CryptoError) {
        try self.init(certificate: Certificate(pem: pem), key: PrivateKey(pem: pem))
    }

    /// The certificate, then the key: what `curl --cert` and Python's `load_cert_chain` take as one file.
    package var pem: [UInt8] {
        get throws(CryptoError) { try certificate.pem + key.pem }
    }
}

internal import COpenSSL

/// The role that a certificate is verified for.
package enum CertificatePurpose: Sendable {
    case server
    case client
    /// The certificate must itself be an authority, as in a trust store.
    case authority

    var identifier: Int32 {
        switch self {
        case .server: X509_PURPOSE_SSL_SERVER
        case .client: X509_PURPOSE_SSL_CLIENT
        case .authority: X509_PURPOSE_ANY
        }
    }
}

internal import COpenSSL

/// What a certificate is checked for.
package enum CertificatePurpose: Sendable {
    case server
    case client
    /// To be an authority itself: what the checks of a trust store look at.
    case authority

    var identifier: Int32 {
        switch self {
        case .server: X509_PURPOSE_SSL_SERVER
        case .client: X509_PURPOSE_SSL_CLIENT
        case .authority: X509_PURPOSE_ANY
        }
    }
}

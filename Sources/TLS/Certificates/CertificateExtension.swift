internal import COpenSSL

/// The object identifiers of the certificate extensions that Pushpit reads or writes.
enum CertificateExtension: String {
    case subjectKeyIdentifier = "2.5.29.14"
    case keyUsage = "2.5.29.15"
    case subjectAlternativeName = "2.5.29.17"
    case basicConstraints = "2.5.29.19"
    case authorityKeyIdentifier = "2.5.29.35"
    case extendedKeyUsage = "2.5.29.37"
    /// Marks a certificate for APNs' development environment; the value is NULL.
    case appleDevelopmentPush = "1.2.840.113635.100.6.3.1"
    /// Marks a certificate for APNs' production environment; the value is NULL.
    case appleProductionPush = "1.2.840.113635.100.6.3.2"
    /// The topics of a VoIP certificate.
    case appleVoIPTopics = "1.2.840.113635.100.6.3.4"
    /// The topics of a universal certificate, each with a list of kinds.
    case appleTopics = "1.2.840.113635.100.6.3.6"

    /// Calls `body` with the C object for the identifier, which is freed afterwards.
    func withObject<Result>(_ body: (OpaquePointer) throws(CryptoError) -> Result) throws(CryptoError)
        -> Result
    {
        let object = unsafe Owned(
            try CryptoCall.object("name an extension", with: rawValue) { unsafe OBJ_txt2obj(rawValue, 1) },
            freedBy: { unsafe ASN1_OBJECT_free($0) })
        return try unsafe body(object.pointer)
    }
}

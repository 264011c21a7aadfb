internal import COpenSSL

/// Writes PKCS#12 files, the form in which Java, Windows and Apple's Keychain take keys and certificates.
package enum PKCS12 {
    /// Rounds of key derivation; OpenSSL's own default, because the password is public knowledge anyway.
    private static let iterations: Int32 = 2_048
    /// Oracle's attribute; its value is the usage that the certificate is trusted for.
    private static let trustedKeyUsage = "2.16.840.1.113894.746875.1.1"

    /// A key with its certificate and `chain`, encrypted with AES-256 as OpenSSL 3 does by default.
    package static func make(
        key: PrivateKey, certificate: Certificate, chain: [Certificate] = [], password: String,
        friendlyName: String
    ) throws(CryptoError) -> [UInt8] {
        let stack = unsafe Owned(
            try CryptoCall.object("make a PKCS#12 file") { unsafe pushpit_new_certificates() },
            freedBy: { unsafe pushpit_free_certificates($0) })
        for certificate in chain {
            try CryptoCall.success("make a PKCS#12 file") {
                unsafe pushpit_push_certificate(stack.pointer, certificate.pointer)
            }
        }
        let file = unsafe Owned(
            try CryptoCall.object("make a PKCS#12 file", with: friendlyName) {
                unsafe PKCS12_create(
                    password, friendlyName, key.pointer, certificate.pointer, stack.pointer, 0, 0, iterations,
                    iterations, 0)
            }, freedBy: { unsafe PKCS12_free($0) })
        return try unsafe CryptoCall.encoding("encode a PKCS#12 file") { unsafe i2d_PKCS12(file.pointer, $0) }
    }

    /// A store of one trusted authority, for Java's `javax.net.ssl.trustStore`.
    ///
    /// The certificate carries Oracle's attribute "trusted for any usage"; without it Java shows an empty store.
    /// It is not encrypted, only authenticated: there is no secret in it.
    package static func makeTrustStore(
        _ authority: Certificate, password: String, friendlyName: String
    ) throws(CryptoError) -> [UInt8] {
        var bags: OpaquePointer?
        var safes: OpaquePointer?
        defer {
            unsafe pushpit_free_bags(bags)
            unsafe pushpit_free_safes(safes)
        }
        let bag = try unsafe CryptoCall.object("make a trust store") {
            unsafe PKCS12_add_cert(&bags, authority.pointer)
        }
        try CryptoCall.success("name a trusted certificate", with: friendlyName) {
            unsafe PKCS12_add_friendlyname_utf8(bag, friendlyName, -1)
        }
        try CryptoCall.success("mark a certificate as trusted") {
            // A length of -1 says that the value is an ASN.1 object of the given type, to be copied.
            unsafe PKCS12_add1_attr_by_txt(
                bag, trustedKeyUsage, V_ASN1_OBJECT,
                UnsafePointer<UInt8>(OBJ_nid2obj(NID_anyExtendedKeyUsage)), -1)
        }
        try CryptoCall.success("make a trust store") { unsafe PKCS12_add_safe(&safes, bags, -1, 0, nil) }
        let file = unsafe Owned(
            try CryptoCall.object("make a trust store") { unsafe PKCS12_add_safes(safes, 0) },
            freedBy: { unsafe PKCS12_free($0) })
        try CryptoCall.success("authenticate a trust store") {
            unsafe PKCS12_set_mac(file.pointer, password, -1, nil, 0, iterations, EVP_sha256())
        }
        return try unsafe CryptoCall.encoding("encode a trust store") { unsafe i2d_PKCS12(file.pointer, $0) }
    }
}

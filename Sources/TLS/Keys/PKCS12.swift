internal import COpenSSL

/// Writes PKCS#12 files, the format of keys and certificates for Java, Windows and Apple's Keychain.
package enum PKCS12 {
    /// The iterations of key derivation. OpenSSL's default is enough, because the password is documented anyway.
    private static let iterations: Int32 = 2_048
    /// Oracle's attribute for trusted certificates. Its value is the usage that the certificate is trusted for.
    private static let trustedKeyUsage = "2.16.840.1.113894.746875.1.1"

    /// Makes a file with a key, its certificate and `chain`, encrypted with AES-256, OpenSSL 3's default.
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

    /// Makes a store with one trusted authority, for Java's `javax.net.ssl.trustStore`.
    ///
    /// The certificate has Oracle's attribute with the value "any usage"; without it, Java treats the store as empty.
    /// The file is authenticated but not encrypted, because it contains no secret.
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
            // The length -1 means that the value is an ASN.1 object of the given type. OpenSSL copies it.
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

internal import COpenSSL

/// Writes PKCS#12 files, the format of keys and certificates for Java, Windows and Apple's Keychain.
///
/// The algorithms are old on purpose, because some readers support nothing newer: a MAC with SHA-1, and encryption with
/// 3DES. For example, Go's `x/crypto/pkcs12` refuses a MAC with SHA-256, OpenSSL 3's default. The password is
/// documented, so the encryption protects nothing anyway.
package enum PKCS12 {
    /// The iterations of key derivation: OpenSSL's default.
    private static let iterations: Int32 = 2_048
    /// Oracle's attribute for trusted certificates. Its value is the usage that the certificate is trusted for.
    private static let trustedKeyUsage = "2.16.840.1.113894.746875.1.1"

    /// The encryption of keys and certificates: PBE-SHA1-3DES.
    private static let encryption = NID_pbe_WithSHA1And3_Key_TripleDES_CBC

    /// Makes a file with a key and its certificate. The authority is not in it, because `x/crypto/pkcs12` decodes only
    /// files with exactly one certificate and one key.
    package static func make(
        key: PrivateKey, certificate: Certificate, password: String, friendlyName: String
    ) throws(CryptoError) -> [UInt8] {
        let file = unsafe Owned(
            try CryptoCall.object("make a PKCS#12 file", with: friendlyName) {
                unsafe PKCS12_create(
                    password, friendlyName, key.pointer, certificate.pointer, nil, encryption, encryption, iterations,
                    withoutMAC, 0)
            }, freedBy: { unsafe PKCS12_free($0) })
        try unsafe authenticate(file.pointer, password)
        return try unsafe CryptoCall.encoding("encode a PKCS#12 file") { unsafe i2d_PKCS12(file.pointer, $0) }
    }

    /// Makes a store with trusted authorities, for Java's `javax.net.ssl.trustStore`.
    ///
    /// The certificates have Oracle's attribute with the value "any usage"; without it, Java treats the store as empty.
    /// The file is authenticated but not encrypted, because it contains no secret.
    ///
    /// - Parameter friendlyName: the name of the first certificate. The others are `NAME-2` and so on, because Java keeps
    ///   only one certificate of each name.
    package static func makeTrustStore(
        _ authorities: [Certificate], password: String, friendlyName: String
    ) throws(CryptoError) -> [UInt8] {
        var bags: OpaquePointer?
        var safes: OpaquePointer?
        defer {
            unsafe pushpit_free_bags(bags)
            unsafe pushpit_free_safes(safes)
        }
        for (index, authority) in authorities.enumerated() {
            let name = index == 0 ? friendlyName : "\(friendlyName)-\(index &+ 1)"
            unsafe try add(authority, named: name, to: &bags)
        }
        try CryptoCall.success("make a trust store") { unsafe PKCS12_add_safe(&safes, bags, -1, 0, nil) }
        let file = unsafe Owned(
            try CryptoCall.object("make a trust store") { unsafe PKCS12_add_safes(safes, 0) },
            freedBy: { unsafe PKCS12_free($0) })
        try unsafe authenticate(file.pointer, password)
        return try unsafe CryptoCall.encoding("encode a trust store") { unsafe i2d_PKCS12(file.pointer, $0) }
    }

    private static func add(
        _ authority: Certificate, named name: String, to bags: inout OpaquePointer?
    ) throws(CryptoError) {
        let bag = try unsafe CryptoCall.object("make a trust store") {
            unsafe PKCS12_add_cert(&bags, authority.pointer)
        }
        try CryptoCall.success("name a trusted certificate", with: name) {
            unsafe PKCS12_add_friendlyname_utf8(bag, name, -1)
        }
        try CryptoCall.success("mark a certificate as trusted") {
            // The length -1 means that the value is an ASN.1 object of the given type. OpenSSL copies it.
            unsafe PKCS12_add1_attr_by_txt(
                bag, trustedKeyUsage, V_ASN1_OBJECT,
                UnsafePointer<UInt8>(OBJ_nid2obj(NID_anyExtendedKeyUsage)), -1)
        }
    }

    /// With this number of MAC iterations, `PKCS12_create` adds no MAC. `authenticate` adds one instead, because
    /// `PKCS12_create` would use OpenSSL's default digest.
    private static let withoutMAC: Int32 = -1

    private static func authenticate(_ file: OpaquePointer, _ password: String) throws(CryptoError) {
        try CryptoCall.success("authenticate a PKCS#12 file") {
            unsafe PKCS12_set_mac(file, password, -1, nil, 0, iterations, EVP_sha1())
        }
    }
}

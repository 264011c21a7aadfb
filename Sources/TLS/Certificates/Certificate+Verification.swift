internal import COpenSSL

extension Certificate {
    /// Whether this certificate is valid for `host`, a DNS name or an address.
    ///
    /// Only the alternative names count, because clients no longer use the common name.
    package func matches(host: String) -> Bool {
        guard !host.isEmpty, !host.utf8.contains(0) else { return false }
        defer { ERR_clear_error() }
        switch unsafe X509_check_ip_asc(pointer, host, 0) {
        case 1: return true
        case 0: return false
        default:  // `host` is not an address.
            let flags = UInt32(X509_CHECK_FLAG_NEVER_CHECK_SUBJECT)
            return unsafe X509_check_host(pointer, host, host.utf8.count, flags, nil) == 1
        }
    }

    /// Whether `issuer` is named as the issuer, is allowed to issue, and signed this certificate. Ignores the dates.
    package func isSigned(by issuer: Certificate) -> Bool {
        defer { ERR_clear_error() }
        guard unsafe X509_check_issued(issuer.pointer, pointer) == X509_V_OK,
            let key = unsafe X509_get0_pubkey(issuer.pointer)
        else { return false }
        return unsafe X509_verify(pointer, key) == 1
    }

    /// Whether `key` is the private key of this certificate.
    package func belongs(to key: PrivateKey) -> Bool {
        defer { ERR_clear_error() }
        return unsafe X509_check_private_key(pointer, key.pointer) == 1
    }

    /// Verifies the certificate as a client that trusts only `root` would (`openssl verify -x509_strict`).
    ///
    /// OpenSSL applies its strict checks to a root only while it verifies a certificate that the root issued. To check
    /// a root fully, verify a leaf.
    package func verify(
        against root: Certificate, for purpose: CertificatePurpose, at now: Int64
    ) throws(CryptoError) {
        let store = unsafe Owned(
            try CryptoCall.object("verify a certificate") { unsafe X509_STORE_new() },
            freedBy: { unsafe X509_STORE_free($0) })
        try CryptoCall.success("trust a certificate") {
            unsafe X509_STORE_add_cert(store.pointer, root.pointer)
        }
        let context = unsafe Owned(
            try CryptoCall.object("verify a certificate") { unsafe X509_STORE_CTX_new() },
            freedBy: { unsafe X509_STORE_CTX_free($0) })
        try CryptoCall.success("verify a certificate") {
            unsafe X509_STORE_CTX_init(context.pointer, store.pointer, pointer, nil)
        }
        unsafe X509_STORE_CTX_set_flags(context.pointer, UInt(X509_V_FLAG_X509_STRICT))
        unsafe X509_STORE_CTX_set_time(context.pointer, 0, Int(now))
        try CryptoCall.success("verify a certificate") {
            unsafe X509_STORE_CTX_set_purpose(context.pointer, purpose.identifier)
        }
        defer { ERR_clear_error() }
        var code = X509_V_OK
        if unsafe X509_verify_cert(context.pointer) != 1 {
            code = unsafe X509_STORE_CTX_get_error(context.pointer)
        } else if purpose == .authority, unsafe X509_check_ca(pointer) != 1 {
            code = X509_V_ERR_INVALID_CA
        }
        guard code != X509_V_OK else { return }
        let reason = unsafe X509_verify_cert_error_string(Int(code)).map { unsafe String(cString: $0) }
        throw CryptoError(
            "verify a certificate", with: subject(.commonName) ?? "no common name",
            reason: reason ?? "unknown",
            code: UInt(code))
    }
}

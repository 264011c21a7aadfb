internal import COpenSSL

/// The contents of a new certificate. The key identifiers and the serial number are added when it is signed.
struct CertificateTemplate {
    struct Field {
        let kind: CertificateExtension
        let isCritical: Bool
        let value: [UInt8]
    }

    let subject: [(SubjectAttribute, String)]
    let validity: Validity
    let fields: [Field]

    /// Makes the certificate for `key`, signed by `authority`; self-signed if `authority` is nil.
    func signed(for key: PrivateKey, by authority: CertificateAuthority?) throws(CryptoError) -> Certificate {
        let draft = unsafe Owned(
            try CryptoCall.object("make a certificate") { unsafe X509_new() },
            freedBy: { unsafe X509_free($0) })
        let x509 = unsafe draft.pointer
        try CryptoCall.success("make a certificate") { unsafe X509_set_version(x509, Int(X509_VERSION_3)) }
        try CryptoCall.success("set a certificate's key") { unsafe X509_set_pubkey(x509, key.pointer) }
        try unsafe setSerialNumber(of: x509)
        try unsafe setDates(of: x509)
        try unsafe setNames(of: x509, issuer: authority?.certificate)
        for field in fields + (try unsafe keyIdentifiers(of: x509, issuer: authority?.certificate)) {
            try unsafe field.add(to: x509)
        }
        let signer = authority?.key ?? key
        try CryptoCall.success("sign a certificate") { unsafe X509_sign(x509, signer.pointer, EVP_sha256()) }
        // Decode it again, so that the result is what other programs will read.
        let der = try unsafe CryptoCall.encoding("encode a certificate") { unsafe i2d_X509(x509, $0) }
        return try Certificate(der: der)
    }

    /// Sets a random serial number of 16 bytes. The first bit is 0, so that it is positive; the second is 1, so that no
    /// leading zeros are dropped.
    private func setSerialNumber(of x509: OpaquePointer) throws(CryptoError) {
        var bytes = try SecureRandom.bytes(16)
        bytes[0] = bytes[0] & 0x3F | 0x40
        let number = unsafe Owned(
            try CryptoCall.object("make a serial number") {
                unsafe BN_bin2bn(bytes, Int32(bytes.count), nil)
            },
            freedBy: { unsafe BN_free($0) })
        _ = try unsafe CryptoCall.object("set a serial number") {
            unsafe BN_to_ASN1_INTEGER(number.pointer, X509_get_serialNumber(x509))
        }
    }

    private func setDates(of x509: OpaquePointer) throws(CryptoError) {
        _ = try unsafe CryptoCall.object("set a certificate's start", with: "\(validity.notBefore)") {
            unsafe ASN1_TIME_set(X509_getm_notBefore(x509), Int(validity.notBefore))
        }
        _ = try unsafe CryptoCall.object("set a certificate's end", with: "\(validity.notAfter)") {
            unsafe ASN1_TIME_set(X509_getm_notAfter(x509), Int(validity.notAfter))
        }
    }

    private func setNames(of x509: OpaquePointer, issuer: Certificate?) throws(CryptoError) {
        let name = unsafe X509_get_subject_name(x509)
        for (attribute, text) in subject {
            let bytes = Array(text.utf8)
            // Not MBSTRING_UTF8, because that refuses more than 64 bytes and topics can be longer.
            try CryptoCall.success("set a certificate's subject", with: "\"\(text)\"") {
                unsafe X509_NAME_add_entry_by_NID(
                    name, attribute.identifier, V_ASN1_UTF8STRING, bytes, Int32(bytes.count), -1, 0)
            }
        }
        try CryptoCall.success("set a certificate's issuer") {
            unsafe X509_set_issuer_name(x509, issuer.map { unsafe X509_get_subject_name($0.pointer) } ?? name)
        }
    }

    /// The subject and authority key identifiers of RFC 5280 §4.2.1, hashed by the first method of RFC 7093.
    private func keyIdentifiers(
        of x509: OpaquePointer, issuer: Certificate?
    ) throws(CryptoError) -> [Field] {
        var digest = [UInt8](repeating: 0, count: 32)
        try CryptoCall.success("hash a certificate's key") {
            unsafe X509_pubkey_digest(x509, EVP_sha256(), &digest, nil)
        }
        let subjectID = Array(digest.prefix(20))
        let issuerID =
            if let issuer { unsafe asn1Bytes(X509_get0_subject_key_id(issuer.pointer)) } else { subjectID }
        let authorityID = DERWriter.element(.keyIdentifier, issuerID)
        return [
            Field(
                kind: .subjectKeyIdentifier, isCritical: false, value: DERWriter.element(.octetString, subjectID)),
            Field(kind: .authorityKeyIdentifier, isCritical: false, value: DERWriter.sequence([authorityID])),
        ]
    }
}

extension CertificateTemplate.Field {
    fileprivate func add(to x509: OpaquePointer) throws(CryptoError) {
        let data = unsafe Owned(
            try CryptoCall.object("make an extension") { unsafe ASN1_OCTET_STRING_new() },
            freedBy: { unsafe ASN1_OCTET_STRING_free($0) })
        try CryptoCall.success("make an extension") {
            unsafe ASN1_OCTET_STRING_set(data.pointer, value, Int32(value.count))
        }
        let made = try unsafe kind.withObject { object throws(CryptoError) in
            try unsafe CryptoCall.object("make an extension", with: kind.rawValue) {
                unsafe X509_EXTENSION_create_by_OBJ(nil, object, isCritical ? 1 : 0, data.pointer)
            }
        }
        let owned = unsafe Owned(made, freedBy: { unsafe X509_EXTENSION_free($0) })
        try CryptoCall.success("add an extension", with: kind.rawValue) {
            unsafe X509_add_ext(x509, owned.pointer, -1)
        }
    }
}

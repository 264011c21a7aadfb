internal import COpenSSL

extension PKCS12 {
    /// Reads the key of a PKCS#12 file and its certificate. Other certificates in the file are ignored.
    package static func identity(from bytes: [UInt8], password: String) throws(CryptoError) -> Identity {
        let file = unsafe Owned(
            try CryptoCall.object("read a PKCS#12 file", with: "\(bytes.count) bytes") {
                unsafe bytes.withUnsafeBufferPointer { buffer in
                    var cursor = buffer.baseAddress
                    return unsafe d2i_PKCS12(nil, &cursor, buffer.count)
                }
            }, freedBy: { unsafe PKCS12_free($0) })
        var key: OpaquePointer?
        var certificate: OpaquePointer?
        try CryptoCall.success("open a PKCS#12 file", with: "\(bytes.count) bytes") {
            unsafe PKCS12_parse(file.pointer, password, &key, &certificate, nil)
        }
        let ownedKey = unsafe key.map { unsafe PrivateKey(adopting: $0) }
        guard let ownedKey, let certificate = unsafe certificate else {
            unsafe X509_free(certificate)
            throw CryptoError(
                "open a PKCS#12 file", with: "\(bytes.count) bytes",
                reason: "it does not contain a key with its certificate")
        }
        return try Identity(certificate: try unsafe Certificate(adopting: certificate), key: ownedKey)
    }

    /// Whether `makeTrustStore` made these bytes for this authority.
    package static func isTrustStore(_ bytes: [UInt8], of authority: Certificate, password: String) -> Bool {
        guard let der = try? authority.der else { return false }
        let opened = unsafe bytes.withUnsafeBufferPointer { buffer in
            var cursor = buffer.baseAddress
            return unsafe d2i_PKCS12(nil, &cursor, buffer.count)
        }
        guard let file = unsafe opened else { return false }
        defer { unsafe PKCS12_free(file) }
        guard unsafe PKCS12_verify_mac(file, password, -1) == 1, bytes.count >= der.count else { return false }
        // The certificate is in the file as it is, because the file is not encrypted.
        return (0...bytes.count - der.count).contains {
            bytes[$0] == der[0] && bytes[$0..<$0 + der.count].elementsEqual(der)
        }
    }
}

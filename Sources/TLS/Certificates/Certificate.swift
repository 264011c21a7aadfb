internal import COpenSSL

/// An X.509 certificate. Owns one reference to an `X509`; TLS contexts made from it hold their own.
@safe package final class Certificate {
    /// Valid as long as this object.
    let pointer: OpaquePointer
    package let validity: Validity

    package var notBefore: Int64 { validity.notBefore }
    package var notAfter: Int64 { validity.notAfter }

    /// Takes over the caller's reference, even if this throws. Throws if the dates cannot be read.
    init(adopting pointer: OpaquePointer) throws(CryptoError) {
        unsafe self.pointer = unsafe pointer
        do {
            validity = unsafe Validity(
                notBefore: try Self.unixSeconds(X509_get0_notBefore(pointer)),
                notAfter: try Self.unixSeconds(X509_get0_notAfter(pointer)))
        } catch {
            unsafe X509_free(pointer)
            throw error
        }
    }

    deinit { unsafe X509_free(pointer) }

    /// The first certificate of a PEM text; keys before it are skipped.
    package convenience init(pem: [UInt8]) throws(CryptoError) {
        let buffer = try PEMBuffer.holding(pem)
        unsafe try self.init(
            adopting: try CryptoCall.object("read a certificate", with: "\(pem.count) bytes of PEM") {
                unsafe PEM_read_bio_X509(buffer.bio, nil, refusePassword, nil)
            })
    }

    /// Reads a certificate that must take up all of `der`.
    package convenience init(der: [UInt8]) throws(CryptoError) {
        var consumed = 0
        let pointer = try unsafe CryptoCall.object("read a certificate", with: "\(der.count) bytes of DER") {
            unsafe der.withUnsafeBufferPointer { bytes in
                var cursor = bytes.baseAddress
                defer { unsafe consumed = cursor.map { unsafe $0 - bytes.baseAddress! } ?? 0 }
                return unsafe d2i_X509(nil, &cursor, bytes.count)
            }
        }
        guard consumed == der.count else {
            unsafe X509_free(pointer)
            throw CryptoError(
                "read a certificate", with: "\(der.count) bytes of DER",
                reason: "the certificate ends after \(consumed) bytes")
        }
        unsafe try self.init(adopting: pointer)
    }

    /// All certificates of a PEM text, in order. Keys between them are skipped. Throws if there is no certificate.
    package static func chain(pem: [UInt8]) throws(CryptoError) -> [Certificate] {
        let buffer = try PEMBuffer.holding(pem)
        var chain: [Certificate] = []
        while true {
            ERR_clear_error()
            if let next = unsafe PEM_read_bio_X509(buffer.bio, nil, refusePassword, nil) {
                unsafe chain.append(try Certificate(adopting: next))
                continue
            }
            let isEnd = ERR_GET_REASON(ERR_peek_error()) == PEM_R_NO_START_LINE
            let error = CryptoCall.queuedError(
                "read certificates", with: "\(pem.count) bytes of PEM, certificate \(chain.count + 1)")
            guard isEnd, !chain.isEmpty else { throw error }
            return chain
        }
    }

    package var pem: [UInt8] {
        get throws(CryptoError) {
            let buffer = try PEMBuffer()
            try CryptoCall.success("write a certificate") { unsafe PEM_write_bio_X509(buffer.bio, pointer) }
            return buffer.drained()
        }
    }

    package var der: [UInt8] {
        get throws(CryptoError) {
            try unsafe CryptoCall.encoding("encode a certificate") { unsafe i2d_X509(pointer, $0) }
        }
    }

    /// The SHA-256 of the DER, which `openssl x509 -fingerprint -sha256` and browsers show.
    package var fingerprint: [UInt8] {
        get throws(CryptoError) { SHA256.digest(try der) }
    }

    package var publicKey: PublicKey {
        get throws(CryptoError) {
            unsafe PublicKey(
                adopting: try CryptoCall.object("read a certificate's key") {
                    unsafe X509_get_pubkey(pointer)
                })
        }
    }

    private static func unixSeconds(_ time: UnsafePointer<ASN1_TIME>?) throws(CryptoError) -> Int64 {
        let epoch = unsafe Owned(
            try CryptoCall.object("read a certificate's dates") { unsafe ASN1_TIME_set(nil, 0) },
            freedBy: { unsafe ASN1_TIME_free($0) })
        var days: Int32 = 0
        var seconds: Int32 = 0
        try CryptoCall.success("read a certificate's dates") {
            unsafe ASN1_TIME_diff(&days, &seconds, epoch.pointer, time)
        }
        return Int64(days) * 86_400 + Int64(seconds)
    }
}

@available(*, unavailable) extension Certificate: Sendable {}

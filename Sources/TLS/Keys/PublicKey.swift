internal import COpenSSL

/// A public key. Owns one reference to an `EVP_PKEY` and uses only its public half.
@safe package final class PublicKey {
    /// Valid as long as this object.
    let pointer: OpaquePointer
    /// Nil for a key that cannot verify a JWT.
    package let algorithm: SignatureAlgorithm?

    /// Takes over the caller's reference.
    init(adopting pointer: OpaquePointer) {
        unsafe self.pointer = unsafe pointer
        algorithm = unsafe SignatureAlgorithm(of: pointer)
    }

    /// Takes over the caller's reference to an empty key, which the caller makes one of P-256.
    init(p256 pointer: OpaquePointer) {
        unsafe self.pointer = unsafe pointer
        algorithm = .es256
    }

    deinit { unsafe EVP_PKEY_free(pointer) }

    /// Reads SubjectPublicKeyInfo PEM (`BEGIN PUBLIC KEY`).
    package convenience init(pem: [UInt8]) throws(CryptoError) {
        let buffer = try PEMBuffer.holding(pem)
        unsafe self.init(
            adopting: try CryptoCall.object("read a public key", with: "\(pem.count) bytes of PEM") {
                unsafe PEM_read_bio_PUBKEY(buffer.bio, nil, refusePassword, nil)
            })
    }

    /// The key as SubjectPublicKeyInfo PEM.
    package var pem: [UInt8] {
        get throws(CryptoError) {
            let buffer = try PEMBuffer()
            try CryptoCall.success("write a public key") { unsafe PEM_write_bio_PUBKEY(buffer.bio, pointer) }
            return buffer.drained()
        }
    }

    /// Whether `signature` is a valid signature of `message` by this key; false for malformed bytes too.
    ///
    /// For ES256, 64 bytes are read as r and s, as in a JWT, and any other length as DER. A DER signature has exactly
    /// 64 bytes only if r and s together are six bytes shorter than usual, which does not happen in practice.
    package func verify(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        switch algorithm {
        case .rs256: verifies(signature, of: message)
        case .es256 where signature.count == ES256Signature.rawCount:
            verifies(ES256Signature.der(fromRaw: signature), of: message)
        case .es256: verifies(signature, of: message)
        case nil: false
        }
    }

    private func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard let allocated = unsafe EVP_MD_CTX_new() else { return false }
        let context = unsafe Owned(allocated, freedBy: { unsafe EVP_MD_CTX_free($0) })
        // A failed verification leaves an entry in the error queue, which a later call must not find.
        defer { ERR_clear_error() }
        guard unsafe EVP_DigestVerifyInit(context.pointer, nil, EVP_sha256(), nil, pointer) == 1 else {
            return false
        }
        let result = unsafe EVP_DigestVerify(
            context.pointer, signature, signature.count, message, message.count)
        return result == 1
    }
}

@available(*, unavailable) extension PublicKey: Sendable {}

internal import COpenSSL

/// A public key: the owner of one reference to an `EVP_PKEY`, of which only the public half is used.
@safe package final class PublicKey {
    /// Good while the key lives.
    let pointer: OpaquePointer
    /// Nil for a key no JWT can be signed with.
    package let algorithm: SignatureAlgorithm?

    /// Takes over the caller's reference.
    init(adopting pointer: OpaquePointer) {
        unsafe self.pointer = unsafe pointer
        algorithm = unsafe SignatureAlgorithm(of: pointer)
    }

    deinit { unsafe EVP_PKEY_free(pointer) }

    /// From SubjectPublicKeyInfo PEM (`BEGIN PUBLIC KEY`).
    package convenience init(pem: [UInt8]) throws(CryptoError) {
        let buffer = try PEMBuffer.holding(pem)
        unsafe self.init(
            adopting: try CryptoCall.object("read a public key", with: "\(pem.count) bytes of PEM") {
                unsafe PEM_read_bio_PUBKEY(buffer.bio, nil, refusePassword, nil)
            })
    }

    /// SubjectPublicKeyInfo PEM.
    package var pem: [UInt8] {
        get throws(CryptoError) {
            let buffer = try PEMBuffer()
            try CryptoCall.success("write a public key") { unsafe PEM_write_bio_PUBKEY(buffer.bio, pointer) }
            return buffer.drained()
        }
    }

    /// Whether `signature` is this key's over `message`; false too for bytes that are no signature at all.
    ///
    /// For ES256, 64 bytes are r and s as a JWT carries them and any other length is DER. (DER of exactly
    /// 64 bytes needs r and s to be six bytes short together: never, in practice.)
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
        // A signature that does not verify leaves its reason in the queue, where it must not be found later.
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

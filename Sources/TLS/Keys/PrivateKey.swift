internal import COpenSSL

/// A private key. Owns one reference to an `EVP_PKEY`; public keys and TLS contexts made from it hold their own.
@safe package final class PrivateKey {
    /// Valid as long as this object.
    let pointer: OpaquePointer
    /// Nil for a key that works for TLS but cannot sign a JWT (P-384, Ed25519, …).
    package let algorithm: SignatureAlgorithm?

    /// Takes over the caller's reference.
    init(adopting pointer: OpaquePointer) {
        unsafe self.pointer = unsafe pointer
        algorithm = unsafe SignatureAlgorithm(of: pointer)
    }

    deinit { unsafe EVP_PKEY_free(pointer) }

    package static func generateP256() throws(CryptoError) -> PrivateKey {
        unsafe PrivateKey(
            adopting: try CryptoCall.object("generate a P-256 key") { unsafe pushpit_generate_p256() })
    }

    /// Takes 0.1 to 1 s.
    package static func generateRSA2048() throws(CryptoError) -> PrivateKey {
        unsafe PrivateKey(
            adopting: try CryptoCall.object("generate an RSA key", with: "2048 bits") {
                unsafe pushpit_generate_rsa(2048)
            })
    }

    /// Reads the first private key of a PEM text, in PKCS#8 or an older format. Other blocks before it are skipped.
    /// Throws if the key is encrypted.
    package convenience init(pem: [UInt8]) throws(CryptoError) {
        let buffer = try PEMBuffer.holding(pem)
        unsafe self.init(
            adopting: try CryptoCall.object("read a private key", with: "\(pem.count) bytes of PEM") {
                unsafe PEM_read_bio_PrivateKey(buffer.bio, nil, refusePassword, nil)
            })
    }

    /// The key as unencrypted PKCS#8 PEM, the format of Apple's `.p8` files and of a service account's `private_key`.
    package var pem: [UInt8] {
        get throws(CryptoError) {
            let buffer = try PEMBuffer()
            try CryptoCall.success("write a private key") {
                unsafe PEM_write_bio_PKCS8PrivateKey(buffer.bio, pointer, nil, nil, 0, nil, nil)
            }
            return buffer.drained()
        }
    }

    /// The public half of the key.
    package var publicKey: PublicKey {
        unsafe EVP_PKEY_up_ref(pointer)
        return unsafe PublicKey(adopting: pointer)
    }

    /// Signs `message` with the key's algorithm over SHA-256.
    package func sign(
        _ message: [UInt8], as encoding: SignatureEncoding = .jose
    ) throws(CryptoError) -> [UInt8] {
        guard let algorithm else {
            throw CryptoError("sign", reason: "the key is neither P-256 nor RSA")
        }
        let signature = try signed(message)
        switch (algorithm, encoding) {
        case (.rs256, _), (.es256, .der):
            return signature
        case (.es256, .jose):
            guard let raw = ES256Signature.raw(fromDER: signature) else {
                throw CryptoError("sign", reason: "OpenSSL's signature is not two 256-bit integers")
            }
            return raw
        }
    }

    private func signed(_ message: [UInt8]) throws(CryptoError) -> [UInt8] {
        let context = unsafe Owned(
            try CryptoCall.object("sign") { unsafe EVP_MD_CTX_new() }, freedBy: { unsafe EVP_MD_CTX_free($0) }
        )
        try CryptoCall.success("sign") {
            unsafe EVP_DigestSignInit(context.pointer, nil, EVP_sha256(), nil, pointer)
        }
        var count = 0
        try CryptoCall.success("sign") {
            unsafe EVP_DigestSign(context.pointer, nil, &count, message, message.count)
        }
        var signature = [UInt8](repeating: 0, count: count)
        try CryptoCall.success("sign", with: "\(message.count) bytes") {
            unsafe EVP_DigestSign(context.pointer, &signature, &count, message, message.count)
        }
        return Array(signature.prefix(count))
    }
}

@available(*, unavailable) extension PrivateKey: Sendable {}

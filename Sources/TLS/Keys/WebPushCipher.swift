internal import COpenSSL

/// Encrypts a push for a browser in the old coding `aesgcm`, in which Google sends messages to web registrations
/// (draft-ietf-webpush-encryption-04, docs/evidence/receivers.md §5.4).
package struct WebPushCipher {
    /// 16 random bytes.
    package let salt: [UInt8]
    /// The public key of this push.
    package let key: [UInt8]
    package let body: [UInt8]

    /// - Parameters:
    ///   - text: more than 4,093 bytes take several records, which Chromium can't read.
    ///   - receiver: the public key of the subscription, `p256dh`.
    ///   - secret: its `auth`.
    package init(_ text: [UInt8], for receiver: [UInt8], secret: [UInt8]) throws(CryptoError) {
        try self.init(
            text, for: receiver, secret: secret, salt: SecureRandom.bytes(16), from: try PrivateKey.generateP256())
    }

    /// With a given salt and key, for tests.
    init(_ text: [UInt8], for receiver: [UInt8], secret: [UInt8], salt: [UInt8], from sender: PrivateKey)
        throws(CryptoError)
    {
        let shared = try sender.agree(with: try PublicKey(p256: receiver))
        self.salt = salt
        key = try sender.point
        let (contentKey, nonce) = Self.oldKeys(receiver, key, shared, secret, salt)
        // Each record has the length of its padding, 0 bytes, and then text. A full record is not the last one.
        var (rest, sealed, counter) = (text[...], [UInt8](), UInt8(0))
        var isLast = false
        while !isLast {
            let part = rest.prefix(Self.recordLength)
            rest = rest.dropFirst(Self.recordLength)
            isLast = part.count < Self.recordLength
            sealed += try Self.seal([0, 0] + part, contentKey, nonce.dropLast() + [nonce[11] ^ counter])
            counter &+= 1
        }
        body = sealed
    }

    /// The bytes of text in a full record.
    private static let recordLength = 4094

    /// The key and the nonce of the coding aesgcm.
    static func oldKeys(
        _ receiver: [UInt8], _ sender: [UInt8], _ shared: [UInt8], _ secret: [UInt8], _ salt: [UInt8]
    ) -> (key: [UInt8], nonce: [UInt8]) {
        let context = Array("P-256\0".utf8) + [0, 65] + receiver + [0, 65] + sender
        let input = derive(secret, shared, Array("Content-Encoding: auth\0".utf8), 32)
        return (
            derive(salt, input, Array("Content-Encoding: aesgcm\0".utf8) + context, 16),
            derive(salt, input, Array("Content-Encoding: nonce\0".utf8) + context, 12)
        )
    }

    /// HKDF with SHA-256 (RFC 5869), for up to 32 bytes.
    static func derive(_ salt: [UInt8], _ input: [UInt8], _ info: [UInt8], _ count: Int) -> [UInt8] {
        Array(mac(mac(salt, input), info + [1]).prefix(count))
    }

    private static func mac(_ key: [UInt8], _ message: [UInt8]) -> [UInt8] {
        TLSLibrary.clearErrors()
        var digest = [UInt8](repeating: 0, count: 32)
        let result = unsafe HMAC(EVP_sha256(), key, Int32(key.count), message, message.count, &digest, nil)
        precondition(unsafe result != nil, "OpenSSL has no HMAC with SHA-256, or no memory")
        return digest
    }

    /// AES-128-GCM, with the tag at the end.
    private static func seal(_ text: [UInt8], _ key: [UInt8], _ nonce: [UInt8]) throws(CryptoError) -> [UInt8] {
        let context = unsafe Owned(
            try CryptoCall.object("encrypt") { unsafe EVP_CIPHER_CTX_new() },
            freedBy: { unsafe EVP_CIPHER_CTX_free($0) })
        try CryptoCall.success("encrypt") {
            unsafe EVP_EncryptInit_ex(context.pointer, EVP_aes_128_gcm(), nil, key, nonce)
        }
        var sealed = [UInt8](repeating: 0, count: text.count)
        var (count, rest): (Int32, Int32) = (0, 0)
        try CryptoCall.success("encrypt", with: "\(text.count) bytes") {
            unsafe EVP_EncryptUpdate(context.pointer, &sealed, &count, text, Int32(text.count))
        }
        var tag = [UInt8](repeating: 0, count: 16)
        try CryptoCall.success("encrypt") { unsafe EVP_EncryptFinal_ex(context.pointer, &tag, &rest) }
        try CryptoCall.success("encrypt") {
            unsafe EVP_CIPHER_CTX_ctrl(context.pointer, EVP_CTRL_AEAD_GET_TAG, 16, &tag)
        }
        return sealed + tag
    }
}

extension PrivateKey {
    /// The public key as an uncompressed point of 65 bytes.
    package var point: [UInt8] {
        get throws(CryptoError) {
            var bytes: UnsafeMutablePointer<UInt8>?
            let count = unsafe EVP_PKEY_get1_encoded_public_key(pointer, &bytes)
            defer { unsafe CRYPTO_free(bytes, "", 0) }
            guard count == 65, let start = unsafe bytes else {
                throw CryptoError("write a public key", reason: "the key is not on P-256")
            }
            return unsafe Array(UnsafeBufferPointer(start: start, count: 65))
        }
    }

    /// The secret that both sides can compute (ECDH).
    func agree(with other: PublicKey) throws(CryptoError) -> [UInt8] {
        let context = unsafe Owned(
            try CryptoCall.object("agree on a secret") { unsafe EVP_PKEY_CTX_new(pointer, nil) },
            freedBy: { unsafe EVP_PKEY_CTX_free($0) })
        try CryptoCall.success("agree on a secret") { unsafe EVP_PKEY_derive_init(context.pointer) }
        try CryptoCall.success("agree on a secret") { unsafe EVP_PKEY_derive_set_peer(context.pointer, other.pointer) }
        var (secret, count) = ([UInt8](repeating: 0, count: 32), 32)
        try CryptoCall.success("agree on a secret") { unsafe EVP_PKEY_derive(context.pointer, &secret, &count) }
        return secret
    }
}

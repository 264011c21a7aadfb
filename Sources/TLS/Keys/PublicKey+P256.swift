internal import COpenSSL

extension PublicKey {
    /// A P-256 key from its uncompressed point, as in VAPID and Web Push: 65 bytes, the first of them 4. Throws if the
    /// point is not on the curve.
    package convenience init(p256 point: [UInt8]) throws(CryptoError) {
        guard point.count == 65, point.first == 4 else {
            throw CryptoError("read a public key", reason: "\(point.count) bytes are not an uncompressed P-256 point")
        }
        let key = unsafe try CryptoCall.object("read a public key") { unsafe EVP_PKEY_new() }
        unsafe self.init(p256: key)
        try CryptoCall.success("read a public key") {
            unsafe EVP_PKEY_copy_parameters(pointer, Self.template?.pointer) == 1
                ? EVP_PKEY_set1_encoded_public_key(pointer, point, point.count) : 0
        }
    }

    /// Any key on the curve: new keys take the curve from it. Reading the curve from text each time would take 60 times
    /// as long.
    private nonisolated(unsafe) static let template: PrivateKey? = try? PrivateKey.generateP256()
}

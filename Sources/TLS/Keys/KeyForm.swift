internal import COpenSSL

/// The algorithm and size of a key, for people. It contains nothing of the key itself.
package struct KeyForm: Hashable, Sendable {
    /// OpenSSL's name: `RSA`, `EC`, `ED25519`, …
    package let algorithm: String
    /// OpenSSL's name of the curve; nil if the key is not `EC`.
    package let curve: String?
    package let bits: Int

    init(of key: OpaquePointer) {
        defer { ERR_clear_error() }
        let name = unsafe EVP_PKEY_get0_type_name(key)
        algorithm = unsafe name.map { unsafe String(cString: $0) } ?? "unknown"
        bits = unsafe Int(EVP_PKEY_get_bits(key))
        curve = algorithm == "EC" ? unsafe SignatureAlgorithm.curve(of: key) : nil
    }

    package var isP256: Bool { curve == "prime256v1" }

    /// Such as `RSA with 2048 bits` and `EC on P-384`.
    package var text: String {
        guard let curve else { return algorithm == "RSA" ? "RSA with \(bits) bits" : algorithm }
        return "EC on \(Self.usualNames[curve] ?? (curve.isEmpty ? "a curve without a name" : curve))"
    }

    private static let usualNames = ["prime256v1": "P-256", "secp384r1": "P-384", "secp521r1": "P-521"]
}

extension PrivateKey {
    package var form: KeyForm { unsafe KeyForm(of: pointer) }
}

extension PublicKey {
    package var form: KeyForm { unsafe KeyForm(of: pointer) }

    /// The SHA-256 of the SubjectPublicKeyInfo. It is the same for a private key, its public key and its certificate.
    package var fingerprint: [UInt8] {
        get throws(CryptoError) {
            SHA256.digest(try unsafe CryptoCall.encoding("encode a public key") { unsafe i2d_PUBKEY(pointer, $0) })
        }
    }
}

internal import COpenSSL

/// The algorithm that a key uses to sign a JWT (RFC 7518 §3.1). Keys without one still work for TLS.
package enum SignatureAlgorithm: String, Sendable {
    case es256 = "ES256"
    case rs256 = "RS256"

    /// The algorithm of `key`; nil if it is neither RSA nor P-256.
    init?(of key: OpaquePointer) {
        if unsafe EVP_PKEY_is_a(key, "RSA") == 1 {
            self = .rs256
        } else if unsafe EVP_PKEY_is_a(key, "EC") == 1, unsafe Self.curve(of: key) == "prime256v1" {
            self = .es256
        } else {
            return nil
        }
    }

    /// OpenSSL's name of the curve; empty if there is no name.
    static func curve(of key: OpaquePointer) -> String {
        var name = [UInt8](repeating: 0, count: 40)
        var count = 0
        let result = unsafe name.withUnsafeMutableBytes { buffer in
            unsafe EVP_PKEY_get_group_name(
                key, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count, &count)
        }
        return result == 1 ? String(decoding: name.prefix(count), as: UTF8.self) : ""
    }
}

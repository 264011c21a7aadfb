internal import COpenSSL

/// SHA-256, computed by OpenSSL.
package enum SHA256 {
    /// The 32-byte digest of `bytes`.
    package static func digest(_ bytes: [UInt8]) -> [UInt8] {
        TLSLibrary.clearErrors()
        var digest = [UInt8](repeating: 0, count: 32)
        let result = unsafe EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha256(), nil)
        precondition(
            result == 1, "SHA-256 of \(bytes.count) bytes failed: OpenSSL is out of memory or does not provide SHA-256")
        return digest
    }
}

internal import COpenSSL

/// Unpredictable bytes from OpenSSL's generator, for serial numbers, tokens and names.
package enum SecureRandom {
    package static func bytes(_ count: Int) throws(CryptoError) -> [UInt8] {
        precondition(count > 0 && count <= 1 << 20, "cannot make \(count) random bytes at once")
        var bytes = [UInt8](repeating: 0, count: count)
        try CryptoCall.success("generate random bytes", with: "\(count)") {
            unsafe RAND_bytes(&bytes, Int32(count))
        }
        return bytes
    }
}

internal import COpenSSL

/// Owns a memory BIO, which OpenSSL's PEM functions read from and write to.
@safe struct PEMBuffer: ~Copyable {
    /// The largest PEM text to read, in bytes. A long chain of certificates is much smaller.
    static let limit = 1 << 20

    let bio: OpaquePointer

    init() throws(CryptoError) {
        unsafe bio = try CryptoCall.object("make a memory buffer") { unsafe BIO_new(BIO_s_mem()) }
    }

    /// A buffer to read a copy of `bytes` from.
    static func holding(_ bytes: [UInt8]) throws(CryptoError) -> PEMBuffer {
        guard bytes.count <= limit else {
            throw CryptoError(
                "read PEM", with: "\(bytes.count) bytes", reason: "larger than \(limit) bytes")
        }
        let buffer = try PEMBuffer()
        if bytes.isEmpty { return buffer }
        try CryptoCall.success("fill a memory buffer") {
            unsafe BIO_write(buffer.bio, bytes, Int32(bytes.count))
        }
        return buffer
    }

    deinit { unsafe BIO_free(bio) }

    /// The bytes that were written and not read yet.
    borrowing func drained() -> [UInt8] {
        let count = unsafe BIO_ctrl_pending(bio)
        return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
            written = max(0, Int(unsafe BIO_read(bio, buffer.baseAddress, Int32(count))))
        }
    }
}

/// A password callback that provides no password. Without it, OpenSSL would ask on the terminal.
func refusePassword(
    _: UnsafeMutablePointer<CChar>?, _: Int32, _: Int32, _: UnsafeMutableRawPointer?
) -> Int32 { -1 }

internal import COpenSSL

/// Calls OpenSSL functions with an empty error queue, and turns a failure into a `CryptoError`.
enum CryptoCall {
    /// Calls a function that returns nil on failure.
    static func object<Pointer>(
        _ operation: String, with subject: @autoclosure () -> String = "", _ body: () -> Pointer?
    ) throws(CryptoError) -> Pointer {
        TLSLibrary.clearErrors()
        guard let pointer = body() else { throw queuedError(operation, with: subject()) }
        return pointer
    }

    /// Calls a function that returns 1, or another positive number, on success.
    static func success(
        _ operation: String, with subject: @autoclosure () -> String = "", _ body: () -> Int32
    ) throws(CryptoError) {
        TLSLibrary.clearErrors()
        guard body() > 0 else { throw queuedError(operation, with: subject()) }
    }

    /// Calls an `i2d_…` function twice: once for the length, then for the bytes.
    static func encoding(
        _ operation: String, _ body: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32
    ) throws(CryptoError) -> [UInt8] {
        TLSLibrary.clearErrors()
        let count = body(nil)
        guard count > 0 else { throw queuedError(operation, with: "") }
        return unsafe [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, written in
            var cursor = buffer.baseAddress
            written = Int(unsafe body(&cursor))
        }
    }

    /// The first error of the queue, which caused the others. Clears the queue.
    static func queuedError(_ operation: String, with subject: String) -> CryptoError {
        let code = ERR_get_error()
        ERR_clear_error()
        var reason = "no reason given by OpenSSL"
        if let text = unsafe ERR_reason_error_string(code) { reason = unsafe String(cString: text) }
        return CryptoError(operation, with: subject, reason: reason, code: code)
    }
}

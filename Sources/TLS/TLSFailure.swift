internal import COpenSSL

/// A TLS operation that failed, with OpenSSL's reason.
package struct TLSFailure: Error, CustomStringConvertible {
    /// Worded to follow "cannot": `read the key`.
    package let operation: String
    package let reason: String
    /// OpenSSL's packed error code; 0 if its error queue was empty.
    package let code: UInt

    /// Uses the oldest entry of this thread's error queue, and clears the queue.
    init(_ operation: String) {
        self.operation = operation
        code = UInt(ERR_get_error())
        reason =
            unsafe ERR_reason_error_string(code).map { unsafe String(cString: $0) } ?? "no reason given by OpenSSL"
        ERR_clear_error()
    }

    package var description: String { "cannot \(operation): \(reason) (OpenSSL error \(String(code, radix: 16)))" }
}

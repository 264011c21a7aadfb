internal import COpenSSL

/// What a TLS call failed at, in OpenSSL's own words.
package struct TLSFailure: Error, CustomStringConvertible {
    package let operation: String
    package let reason: String
    /// OpenSSL's packed error code; 0 where its queue was empty.
    package let code: UInt

    /// Takes the oldest entry of this thread's error queue and empties it.
    init(_ operation: String) {
        self.operation = operation
        code = UInt(ERR_get_error())
        reason =
            unsafe ERR_reason_error_string(code).map { unsafe String(cString: $0) } ?? "no reason given by OpenSSL"
        ERR_clear_error()
    }

    package var description: String { "\(operation): \(reason) (OpenSSL error \(String(code, radix: 16)))" }
}

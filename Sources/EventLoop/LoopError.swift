internal import CUV

/// A failed libuv call: what was attempted, on what, and libuv's code and message. The operation is worded to follow
/// "cannot": `listen on`.
package struct LoopError: Error, CustomStringConvertible {
    package let operation: String
    package let subject: String
    package let code: Int32
    package let description: String

    init(_ operation: String, _ subject: String, code: Int32) {
        self.operation = operation
        self.subject = subject
        self.code = code
        description = "cannot \(operation) \(subject): \(unsafe String(cString: uv_strerror(code)))"
    }

    /// Another socket is using the address.
    package var isAddressInUse: Bool { code == UV_EADDRINUSE.rawValue }
}

/// Throws if `code`, the result of a libuv call, is an error.
func check(_ code: Int32, _ operation: String, _ subject: String) throws(LoopError) {
    if code < 0 { throw LoopError(operation, subject, code: code) }
}

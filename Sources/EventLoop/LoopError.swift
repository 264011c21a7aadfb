internal import CUV

/// What libuv refused: the call, what it was about, and libuv's own code and words.
package struct LoopError: Error, CustomStringConvertible {
    package let operation: String
    package let subject: String
    package let code: Int32
    package let description: String

    init(_ operation: String, _ subject: String, code: Int32) {
        self.operation = operation
        self.subject = subject
        self.code = code
        description = "\(operation) \(subject): \(unsafe String(cString: uv_strerror(code)))"
    }

    /// The address is in use by somebody else.
    package var isAddressInUse: Bool { code == UV_EADDRINUSE.rawValue }
}

/// Throws what a libuv call returned, if that is an error.
func check(_ code: Int32, _ operation: String, _ subject: String) throws(LoopError) {
    if code < 0 { throw LoopError(operation, subject, code: code) }
}

/// A failed operation on a key, certificate or signature.
package struct CryptoError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The operation, worded to follow "cannot": `read a private key`.
    package let operation: String
    /// A detail such as a size, a name or a host; may be empty.
    package let subject: String
    /// OpenSSL's text, or Pushpit's if the problem was found without OpenSSL.
    package let reason: String
    /// OpenSSL's packed error code, or a certificate verification code; 0 if OpenSSL did not report the problem.
    package let code: UInt

    package init(_ operation: String, with subject: String = "", reason: String, code: UInt = 0) {
        self.operation = operation
        self.subject = subject
        self.reason = reason
        self.code = code
    }

    package var description: String {
        let object = subject.isEmpty ? "" : " (\(subject))"
        let number = code == 0 ? "" : " [OpenSSL 0x\(String(code, radix: 16, uppercase: true))]"
        return "cannot \(operation)\(object): \(reason)\(number)"
    }
}

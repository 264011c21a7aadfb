/// A key, certificate or signature operation that failed.
package struct CryptoError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was attempted, to be read after "cannot": `read a private key`.
    package let operation: String
    /// What it was attempted with: a size, a name, a host; empty when there is nothing to add.
    package let subject: String
    /// OpenSSL's own text, or ours where the fault was found before OpenSSL was asked.
    package let reason: String
    /// OpenSSL's packed code or a certificate verification code; 0 when the fault was found by us.
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

/// The encoding of an ES256 signature. An RS256 signature has only one.
package enum SignatureEncoding: Sendable {
    /// r and s, 32 bytes each, as in a JWT (RFC 7518 §3.4).
    case jose
    /// The SEQUENCE of two INTEGERs that OpenSSL, X.509 and Java's `Signature` use.
    case der
}

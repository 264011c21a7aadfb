/// How an ES256 signature is written; an RS256 signature has one form only.
package enum SignatureEncoding: Sendable {
    /// r and s, 32 bytes each, as a JWT carries it (RFC 7518 §3.4).
    case jose
    /// The SEQUENCE of two INTEGERs that OpenSSL, X.509 and Java's `Signature` use.
    case der
}

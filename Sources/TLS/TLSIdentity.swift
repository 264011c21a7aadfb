/// A certificate with its chain, and its private key, as PEM.
package struct TLSIdentity: Sendable {
    package var certificateChain: [UInt8]
    package var privateKey: [UInt8]

    package init(certificateChain: [UInt8], privateKey: [UInt8]) {
        self.certificateChain = certificateChain
        self.privateKey = privateKey
    }
}

/// The protocols that ALPN can select. The raw value is the name on the wire.
package enum ApplicationProtocol: String, Sendable, CaseIterable {
    case http2 = "h2"
    case http11 = "http/1.1"
}

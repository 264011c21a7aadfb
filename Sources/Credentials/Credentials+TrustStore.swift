internal import TLS

extension Credentials {
    /// A PKCS#12 file for Java's `javax.net.ssl.trustStore` with all certificates of a PEM text; nil if one of them
    /// can't be read.
    package static func trustStore(_ bundle: [UInt8], password: String) -> [UInt8]? {
        guard let authorities = try? Certificate.chain(pem: bundle) else { return nil }
        return try? PKCS12.makeTrustStore(authorities, password: password, friendlyName: "authority")
    }
}

/// DER values of extensions that are the same in every certificate that Pushpit makes.
enum CertificateFieldBytes {
    /// CA:TRUE, pathlen:0.
    static let issuesLeavesOnly: [UInt8] = [0x30, 0x06, 0x01, 0x01, 0xFF, 0x02, 0x01, 0x00]
    /// CA:FALSE, which DER encodes as an empty sequence because it is the default.
    static let issuesNothing: [UInt8] = [0x30, 0x00]
    /// The bits keyCertSign (5) and cRLSign (6); one bit unused.
    static let signsCertificates: [UInt8] = [0x03, 0x02, 0x01, 0x06]
    /// The bit digitalSignature (0); seven bits unused.
    static let signsHandshakes: [UInt8] = [0x03, 0x02, 0x07, 0x80]
    /// 1.3.6.1.5.5.7.3.1
    static let serverAuthentication = usage(1)
    /// 1.3.6.1.5.5.7.3.2
    static let clientAuthentication = usage(2)

    private static func usage(_ last: UInt8) -> [UInt8] {
        [0x30, 0x0A, 0x06, 0x08, 0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, last]
    }
}

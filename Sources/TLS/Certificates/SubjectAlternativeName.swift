internal import COpenSSL

/// A host name or address that a certificate is valid for.
package enum SubjectAlternativeName: Hashable, Sendable {
    /// May start with `*.`.
    case dns(String)
    /// 4 or 16 bytes in network order.
    case ip([UInt8])

    /// Reads an IPv4 or IPv6 address or, failing that, a DNS name.
    package init(_ text: String) throws(CryptoError) {
        guard (1...253).contains(text.utf8.count), text.utf8.allSatisfy(Self.isAllowed) else {
            throw CryptoError(
                "put a name into a certificate", with: "\"\(text)\"",
                reason: "neither a host name nor an address")
        }
        TLSLibrary.clearErrors()
        guard let parsed = unsafe a2i_IPADDRESS(text) else {
            TLSLibrary.clearErrors()
            guard !text.utf8.contains(UInt8(ascii: ":")) else {
                throw CryptoError(
                    "put a name into a certificate", with: "\"\(text)\"", reason: "not an IPv6 address")
            }
            self = .dns(text)
            return
        }
        let address = unsafe Owned(parsed, freedBy: { unsafe ASN1_OCTET_STRING_free($0) })
        self = .ip(unsafe Array(asn1Bytes(address.pointer)))
    }

    /// Reads a GeneralName; nil if it is malformed or is neither a DNS name nor an address.
    init?(_ element: DERReader.Element) {
        if element.isA(.dnsName), let name = String(validating: element.contents, as: UTF8.self) {
            self = .dns(name)
        } else if element.isA(.ipAddress), [4, 16].contains(element.contents.count) {
            self = .ip(Array(element.contents))
        } else {
            return nil
        }
    }

    /// The name encoded as a GeneralName.
    var der: [UInt8] {
        switch self {
        case .dns(let name): DERWriter.element(.dnsName, Array(name.utf8))
        case .ip(let bytes): DERWriter.element(.ipAddress, bytes)
        }
    }

    private static func isAllowed(_ character: UInt8) -> Bool {
        switch character {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "*"), UInt8(ascii: ":"):
            true
        default: false
        }
    }
}

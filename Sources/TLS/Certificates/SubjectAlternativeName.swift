internal import COpenSSL

/// A host that a certificate is good for.
package enum SubjectAlternativeName: Hashable, Sendable {
    /// May begin with `*.`.
    case dns(String)
    /// 4 or 16 bytes in network order.
    case ip([UInt8])

    /// An IPv4 or IPv6 address if the text is one, else a DNS name.
    package init(_ text: String) throws(CryptoError) {
        guard (1...253).contains(text.utf8.count), text.utf8.allSatisfy(Self.isAllowed) else {
            throw CryptoError(
                "put a name into a certificate", with: "\"\(text)\"",
                reason: "neither a host name nor an address")
        }
        TLSLibrary.clearErrors()
        guard let octets = unsafe a2i_IPADDRESS(text) else {
            TLSLibrary.clearErrors()
            guard !text.utf8.contains(UInt8(ascii: ":")) else {
                throw CryptoError(
                    "put a name into a certificate", with: "\"\(text)\"", reason: "not an IPv6 address")
            }
            self = .dns(text)
            return
        }
        let address = unsafe Owned(octets, freedBy: { unsafe ASN1_OCTET_STRING_free($0) })
        self = .ip(unsafe Array(asn1Bytes(address.pointer)))
    }

    /// From one GeneralName; nil for the kinds that name no host, and for a malformed one.
    init?(_ element: DERReader.Element) {
        if element.isA(.dnsName), let name = String(validating: element.contents, as: UTF8.self) {
            self = .dns(name)
        } else if element.isA(.ipAddress), [4, 16].contains(element.contents.count) {
            self = .ip(Array(element.contents))
        } else {
            return nil
        }
    }

    /// As a GeneralName.
    var der: [UInt8] {
        switch self {
        case .dns(let name): DERWriter.element(.dnsName, Array(name.utf8))
        case .ip(let octets): DERWriter.element(.ipAddress, octets)
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

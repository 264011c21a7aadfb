/// A field name in lower case. It holds its octets itself: finding a field in a block touches no other memory and
/// counts no references.
package struct HeaderName: Sendable {
    private let octets: InlineArray<40, UInt8>
    package let count: Int
    /// Length and last octet: two different names of one message hardly ever share it, so that most fields are
    /// passed over without a look at their octets.
    package let quickKey: UInt32

    /// - Parameter text: 40 octets of ASCII at most.
    package init(_ text: String) {
        let lower = Array(text.lowercased().utf8)
        precondition(lower.count <= 40, "the field name '\(text)' has more than 40 octets")
        octets = InlineArray { index in index < lower.count ? lower[index] : 0 }
        count = lower.count
        quickKey = Self.quickKey(lower.count, lower.last ?? 0)
    }

    package var bytes: [UInt8] { (0..<count).map { octets[$0] } }

    package func matches(_ name: Span<UInt8>) -> Bool {
        guard name.count == count, count <= octets.count else { return false }
        var difference: UInt8 = 0
        var index = 0
        let end = name.count
        while index < end {
            difference |= name[index] ^ octets[index]
            index &+= 1
        }
        return difference == 0
    }

    package func append(to output: inout OutputSpan<UInt8>) {
        var index = 0
        while index < count {
            output.append(octets[index])
            index &+= 1
        }
    }

    package static func quickKey(_ count: Int, _ last: UInt8) -> UInt32 {
        UInt32(truncatingIfNeeded: count) << 8 | UInt32(last)
    }

    package static let method = HeaderName(":method")
    package static let path = HeaderName(":path")
    package static let authority = HeaderName(":authority")
    package static let scheme = HeaderName(":scheme")

    package static let host = HeaderName("host")
    package static let authorization = HeaderName("authorization")
    package static let connection = HeaderName("connection")
    package static let contentLength = HeaderName("content-length")
    package static let contentType = HeaderName("content-type")
    package static let expect = HeaderName("expect")
    package static let transferEncoding = HeaderName("transfer-encoding")
    package static let upgrade = HeaderName("upgrade")
    package static let allow = HeaderName("allow")
    package static let date = HeaderName("date")
}

/// A field name in lower case, held as bytes so that looking one up never makes a string.
package struct HeaderName: Sendable, Hashable {
    package let bytes: [UInt8]
    /// Length and last octet: two different names of one message hardly ever share it, so that most fields are
    /// passed over without a look at their bytes.
    package let mark: UInt32

    package init(_ text: String) {
        let bytes = Array(text.lowercased().utf8)
        self.bytes = bytes
        mark = Self.mark(bytes.count, bytes.last ?? 0)
    }

    package static func mark(_ count: Int, _ last: UInt8) -> UInt32 {
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

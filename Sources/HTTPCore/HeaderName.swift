/// A field name in lower case, held as bytes so that looking one up never makes a string.
package struct HeaderName: Sendable, Hashable {
    package let bytes: [UInt8]

    package init(_ text: String) { bytes = Array(text.lowercased().utf8) }

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

/// A field name in lower case, stored inline: finding a field in a block reads no other memory and needs no
/// reference counting.
package struct HeaderName: Sendable {
    private let storage: InlineArray<40, UInt8>
    package let count: Int
    /// The name's length and last byte. Different names in a message rarely share it, so most fields can be skipped
    /// without comparing their bytes.
    package let quickKey: UInt32

    /// - Parameter text: at most 40 ASCII characters; a longer name traps.
    package init(_ text: String) {
        let lower = Array(text.lowercased().utf8)
        precondition(lower.count <= 40, "the field name '\(text)' is longer than 40 bytes")
        storage = InlineArray { index in index < lower.count ? lower[index] : 0 }
        count = lower.count
        quickKey = Self.quickKey(lower.count, lower.last ?? 0)
    }

    package var bytes: [UInt8] { (0..<count).map { storage[$0] } }

    /// Whether `name`, in lower case, is this name.
    package func matches(_ name: Span<UInt8>) -> Bool {
        guard name.count == count, count <= storage.count else { return false }
        var difference: UInt8 = 0
        var index = 0
        let end = name.count
        while index < end {
            difference |= name[index] ^ storage[index]
            index &+= 1
        }
        return difference == 0
    }

    package func append(to output: inout OutputSpan<UInt8>) {
        var index = 0
        while index < count {
            output.append(storage[index])
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

/// A request in any version of HTTP, with a complete head.
package struct Request: Sendable {
    package var version: HTTPVersion
    package var method: Method
    /// The pseudo-fields, then the other fields in the order received.
    package var headers: HeaderBlock
    /// Empty if the request has no body; never longer than this request's limit.
    package var body: [UInt8] = []
    /// The body exceeded its limit: `body` holds the part that had arrived by then, and the rest is discarded.
    package var bodyIsOverLimit = false
    /// Copied from the request's `RequestPlan`.
    package var route = RouteTag(0)
    /// The HTTP/2 stream that carried the request; 0 for HTTP/1.
    package var stream: StreamID = 0

    package init(version: HTTPVersion, headers: HeaderBlock) {
        method = headers.method
        self.version = version
        self.headers = headers
    }

    /// A request whose head has not been received yet.
    package init(version: HTTPVersion) {
        self.version = version
        method = .other
        headers = HeaderBlock()
    }

    /// The request target as received: path and query.
    package var target: ArraySlice<UInt8> { headers.first(.path) ?? [] }

    /// The request target without the query.
    package var path: ArraySlice<UInt8> {
        let target = target
        guard let questionMark = target.firstIndex(of: UInt8(ascii: "?")) else { return target }
        return target[..<questionMark]
    }

    /// `:authority`, or `host` if the client sent only that.
    package var authority: ArraySlice<UInt8>? { headers.first(.authority) ?? headers.first(.host) }
}

extension HeaderBlock {
    /// The `:method` field; `.other` if it is missing or unknown.
    package var method: Method {
        range(of: .method).map { Method(storage.span.extracting($0)) } ?? .other
    }
}

package enum HTTPVersion: Sendable, Equatable {
    case http10, http11, http2
}

/// The methods that routes use. A request with any other method is `.other`, so that it can still be answered.
package enum Method: String, Sendable, CaseIterable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"
    case options = "OPTIONS"
    case connect = "CONNECT"
    case other = ""

    /// Methods are case-sensitive (RFC 9110 §9.1).
    package init(_ bytes: Span<UInt8>) {
        // No method has more than seven characters, so the length and the characters fit into one integer.
        var packed = UInt64(truncatingIfNeeded: bytes.count) << 56
        var characters: UInt64 = 0
        var index = bytes.count < 8 ? 0 : bytes.count
        while index < bytes.count {
            characters = characters << 8 | UInt64(bytes[index])
            index &+= 1
        }
        packed |= characters
        self =
            switch packed {
            case 0x0400_0000_504F_5354: .post
            case 0x0300_0000_0047_4554: .get
            case 0x0400_0000_4845_4144: .head
            case 0x0300_0000_0050_5554: .put
            case 0x0500_0050_4154_4348: .patch
            case 0x0600_4445_4C45_5445: .delete
            case 0x074F_5054_494F_4E53: .options
            case 0x0743_4F4E_4E45_4354: .connect
            default: .other
            }
    }
}

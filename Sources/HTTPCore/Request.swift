/// A request whose head has been read whole, by any version of HTTP.
package struct Request: Sendable {
    package var version: HTTPVersion
    package var method: Method
    /// Pseudo-fields first, then the fields as they came.
    package var headers: HeaderBlock
    /// Empty where there was none; never longer than the limit that held for this request.
    package var body: [UInt8] = []
    /// The body went over its limit: `body` holds what came before, the rest is thrown away.
    package var bodyIsOverLimit = false
    /// As its plan has it.
    package var service: UInt8 = 0

    package init(version: HTTPVersion, headers: HeaderBlock) {
        method = headers.method
        self.version = version
        self.headers = headers
    }

    /// One whose head is still to come.
    package init(version: HTTPVersion) {
        self.version = version
        method = .other
        headers = HeaderBlock()
    }

    /// The target as sent: path and query.
    package var target: ArraySlice<UInt8> { headers.first(.path) ?? [] }

    /// The target up to the query.
    package var path: ArraySlice<UInt8> {
        let target = target
        guard let mark = target.firstIndex(of: UInt8(ascii: "?")) else { return target }
        return target[..<mark]
    }

    /// `:authority`, or `host` for those that send only that.
    package var authority: ArraySlice<UInt8>? { headers.first(.authority) ?? headers.first(.host) }
}

extension HeaderBlock {
    package var method: Method {
        range(of: .method).map { Method(storage.span.extracting($0)) } ?? .other
    }
}

package enum HTTPVersion: Sendable, Equatable {
    case http10, http11, http2
}

/// The methods routes are written in; `other` keeps a request with one we don't know answerable.
package enum Method: String, Sendable, CaseIterable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"
    case options = "OPTIONS"
    case other = ""

    /// Methods are case-sensitive (RFC 9110 §9.1).
    package init(_ bytes: Span<UInt8>) {
        // None has more than seven letters: one word, behind their number, tells them apart.
        var word = UInt64(truncatingIfNeeded: bytes.count) << 56
        var letters: UInt64 = 0
        var index = bytes.count < 8 ? 0 : bytes.count
        while index < bytes.count {
            letters = letters << 8 | UInt64(bytes[index])
            index &+= 1
        }
        word |= letters
        self =
            switch word {
            case 0x0400_0000_504F_5354: .post
            case 0x0300_0000_0047_4554: .get
            case 0x0400_0000_4845_4144: .head
            case 0x0300_0000_0050_5554: .put
            case 0x0500_0050_4154_4348: .patch
            case 0x0600_4445_4C45_5445: .delete
            case 0x074F_5054_494F_4E53: .options
            default: .other
            }
    }
}

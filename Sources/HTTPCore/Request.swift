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

    package init(version: HTTPVersion, headers: HeaderBlock) {
        self.version = version
        self.headers = headers
        method = headers.method
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
        var word: UInt64 = 0
        for index in bytes.indices where index < 8 { word = word << 8 | UInt64(bytes[index]) }
        for known in Self.words where bytes.count < 8 && known.word == word {
            self = known.method
            return
        }
        self = .other
    }

    /// The octets of each method's name in one number.
    private static let words: [(word: UInt64, method: Method)] = allCases.map { method in
        (method.rawValue.utf8.reduce(0) { $0 << 8 | UInt64($1) }, method)
    }
}

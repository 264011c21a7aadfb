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
        self = .other
        for known in Self.names where bytes.count == known.name.count && bytes.starts(with: known.name) {
            self = known.method
            return
        }
    }

    /// The commonest first.
    private static let names: [(name: [UInt8], method: Method)] = [.post, .get, .head, .put, .patch, .delete, .options]
        .map { (Array($0.rawValue.utf8), $0) }
}

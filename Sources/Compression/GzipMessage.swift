package import HTTPCore
internal import PushCore

/// Requests and answers of Google's APIs that are compressed with gzip (docs/evidence/fcm.md §1.5).
package enum GzipMessage {
    /// A decompressed body may be at most this many times as long as the compressed body. Up to `shortBody` bytes are
    /// always allowed.
    private static let ratio = 100
    private static let shortBody = 64 << 10

    /// Whether the body may be compressed.
    package static func hasEncoding(_ request: Request) -> Bool { request.headers.range(of: .contentEncoding) != nil }

    /// The request with its plain body. The header fields are changed to match, as if the body had never been
    /// compressed. Bodies in encodings other than gzip are returned unchanged.
    ///
    /// - Parameter limit: how long the plain body may be.
    package static func decoded(_ request: Request, limit: Int) throws(Gzip.Problem) -> Request {
        let encodings = words(request.headers.first(.contentEncoding) ?? [])
        guard encodings.count == 1, names.contains(encodings[0]), !request.body.isEmpty, !request.bodyIsOverLimit else {
            return request
        }
        var plain = request
        do throws(Gzip.Problem) {
            let limit = min(limit, max(shortBody, ratio * request.body.count))
            plain.body = try Gzip.decompress(request.body, limit: limit)
        } catch {
            guard error == .tooLong else { throw error }
            plain.bodyIsOverLimit = true
        }
        plain.headers = HeaderBlock()
        for (place, field) in zip(request.headers.places, request.headers) {
            if request.headers.isNamed(place, .contentEncoding) { continue }
            let isLength = request.headers.isNamed(place, .contentLength)
            plain.headers.append(field.name, isLength ? Array(String(plain.body.count).utf8)[...] : field.value)
        }
        return plain
    }

    /// Google compresses answers for clients that accept gzip and also have the word "gzip" in their User-Agent
    /// (documented).
    package static func isWanted(by headers: HeaderBlock) -> Bool {
        guard let agent = headers.first(.userAgent) else { return false }
        return String(decoding: agent, as: UTF8.self).includes(names[0]) && isAccepted(by: headers)
    }

    /// Whether the client accepts a compressed answer.
    package static func isAccepted(by headers: HeaderBlock) -> Bool {
        guard let accepted = headers.first(.acceptEncoding) else { return false }
        return words(accepted).contains { word in
            let parts = word.split(separator: ";").map { $0.filter { $0 != " " } }
            guard let name = parts.first, names.contains(name) else { return false }
            return !parts.dropFirst().contains { $0.hasPrefix("q=0") && $0.allSatisfy { "q=0.".contains($0) } }
        }
    }

    package static func compress(_ response: inout Response) {
        guard case .bytes(let body) = response.body, let compressed = Gzip.compress(body) else { return }
        response.body = .bytes(compressed)
        response.headers.append(.contentEncoding, names[0])
    }

    /// `x-gzip` is the same coding (RFC 9110 §8.4.1.3).
    private static let names = ["gzip", "x-gzip"]

    /// The elements of a list, in lower case.
    private static func words(_ value: ArraySlice<UInt8>) -> [String] {
        value.split(separator: UInt8(ascii: ",")).map {
            let word = String(decoding: $0, as: UTF8.self).lowercased()
            return String(word.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
        }
    }
}

extension HeaderName {
    package static let contentEncoding = HeaderName("content-encoding")
    static let acceptEncoding = HeaderName("accept-encoding")
    static let userAgent = HeaderName("user-agent")
}

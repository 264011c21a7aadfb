internal import HTTPCore
internal import PushCore

/// The query parameters of a request to Google's APIs (docs/evidence/fcm.md §1.2, documented). If a parameter is
/// repeated, its last value counts.
struct GoogleQuery {
    private var fields: [(name: String, value: String)] = []

    /// The parameters that all of Google's APIs accept.
    private static let systemParameters = [
        "$.xgafv", "access_token", "alt", "callback", "fields", "key", "oauth_token", "prettyPrint", "quotaUser",
        "uploadType",
        "upload_protocol",
    ]

    init(_ request: Request) {
        let headers = request.headers
        guard let target = headers.range(of: .path),
            let mark = headers.storage.span.extracting(target).firstIndex(of: UInt8(ascii: "?"))
        else { return }
        fields = PercentCode.pairs(headers.storage[(target.lowerBound + mark + 1)..<target.upperBound])
    }

    subscript(name: String) -> String? { fields.last { $0.name == name }?.value }

    /// The value of a parameter that has two names, like `page_size` and `pageSize`.
    subscript(name: String, camel: String) -> String? { fields.last { $0.name == name || $0.name == camel }?.value }

    /// Whether the answer is indented, which is the default.
    var isPretty: Bool { self["prettyPrint"].map { !["false", "0"].contains($0) } ?? true }

    /// An access token in the query, which may replace the header `authorization`.
    var bearer: String? { self["access_token"] ?? self["oauth_token"] }

    /// Throws if there is a parameter that is neither a system parameter nor in `accepted` (§1.2, from memory).
    func check(_ accepted: [String] = []) throws(GoogleError) {
        guard !fields.isEmpty else { return }
        let unknown = fields.map(\.name).filter { !Self.systemParameters.contains($0) && !accepted.contains($0) }
        if !unknown.isEmpty { throw .unknownParameters(unknown) }
    }
}

/// The percent-encoding of paths, queries and forms.
package enum PercentCode {
    /// The decoded names and values of `a=b&c=d`.
    package static func pairs(_ text: ArraySlice<UInt8>) -> [(name: String, value: String)] {
        text.split(separator: UInt8(ascii: "&")).map { pair in
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            return (decode(parts[0]), parts.count == 2 ? decode(parts[1]) : "")
        }
    }

    /// - Parameter isForm: whether `+` stands for a space.
    package static func decode(_ text: some Collection<UInt8>, isForm: Bool = true) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = Hex.decode(Array(rest.prefix(2)).span)
            {
                bytes += value
                rest = rest.dropFirst(2)
            } else {
                bytes.append(isForm && byte == UInt8(ascii: "+") ? 0x20 : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

internal import HTTPCore
internal import JSON
internal import PushCore

/// The query parameters of a request to Google's APIs (docs/evidence/fcm.md §1.2, documented). If a parameter is
/// repeated, its last value counts, except for some parameters that all APIs have: for those, the first value counts
/// (`first`).
struct GoogleQuery {
    private var fields: [(name: String, value: String)] = []

    /// The parameters that all of Google's APIs accept.
    private static let systemParameters =
        [
            "$.xgafv", "$apiVersion", "$ct", "$quotaUser", "$userProject", "access_token", "oauth_token", "quotaUser",
            "uploadType", "upload_protocol",
        ] + ["alt", "callback", "fields", "key", "prettyPrint"].flatMap { [$0, "$" + $0] }

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

    /// The first value of a parameter that can also be written with a `$` before its name.
    private func first(_ name: String) -> String? {
        fields.first { $0.name == name || $0.name.hasPrefix("$") && $0.name.dropFirst() == name }?.value
    }

    var isEmpty: Bool { fields.isEmpty }

    /// Whether the answer is indented, which is the default.
    var isPretty: Bool { isEmpty || !Self.falseWords.contains(first("prettyPrint")?.lowercased() ?? "") }

    private static let falseWords = ["false", "f", "no", "n", "0"]

    /// An access token in the query, which may replace the header `authorization`.
    var bearer: String? { self["access_token"] ?? self["oauth_token"] }

    var hasKey: Bool { first("key") != nil }

    /// Throws if a parameter has a value that Google refuses before it looks at the credentials.
    func checkFormats() throws(GoogleError) {
        guard !isEmpty else { return }
        if let format = self["$.xgafv"], !["1", "2"].contains(format) { throw .badErrorFormat(format) }
        if let type = first("alt"), !["", "json", "media", "proto", "sse"].contains(type.prefix { $0 != ";" }) {
            throw .badAnswerType(type)
        }
    }

    /// Throws if there is a parameter that is neither a system parameter nor in `accepted` (§1.2, from memory), or if
    /// the caller asks for a media answer or for fields that the answer cannot have.
    func check(_ accepted: [String] = [], answer shape: AnswerShape) throws(GoogleError) {
        guard !isEmpty else { return }
        let unknown = fields.map(\.name).filter { !Self.systemParameters.contains($0) && !accepted.contains($0) }
        if !unknown.isEmpty { throw .unknownParameters(unknown) }
        if first("alt") == "media" { throw .noMedia }
        guard let text = first("fields") else { return }
        guard let mask = FieldMask(text) else { throw .badFieldMask(text, path: text) }
        if let path = mask.unknownPath(in: shape) { throw .badFieldMask(text, path: path) }
    }

    /// A successful answer, with the members and the indentation that the caller wants.
    func answer(_ body: (inout JSONWriter) -> Void) -> Response {
        guard let mask = first("fields").flatMap(FieldMask.init) else {
            return GoogleAnswer.response(200, body, isPretty: isPretty)
        }
        var json = JSONWriter()
        json.object(body)
        guard let document = try? JSONDocument(parsing: json.finish()) else {
            preconditionFailure("the gateway wrote an answer that is not JSON")
        }
        var masked = JSONWriter(isPretty ? .pretty : .compact, escapesMarkup: true)
        mask.write(document.root, to: &masked)
        return GoogleAnswer.framed(200, masked.finish() + (isPretty ? [0x0A] : []))
    }
}

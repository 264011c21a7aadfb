internal import JSON

/// Google's type checks for the keys of `apns.payload.aps` (docs/evidence/fcm.md §2.4: the texts for `badge` and
/// `title` are quoted; those of the other keys follow the same pattern).
enum APSTypes {
    private enum Shape { case number, string, stringOrObject }

    private static let apsChecks = checks([
        .number: ["badge", "content-available", "mutable-content", "relevance-score"],
        .string: ["category", "thread-id"],
        .stringOrObject: ["alert", "sound"],
    ])
    private static let alertChecks = checks([
        .string: ["title", "subtitle", "body", "title-loc-key", "subtitle-loc-key", "loc-key", "launch-image"]
    ])
    private static let alert = Array("alert".utf8)

    static func check(_ aps: JSONPlace, _ document: JSONDocument, at field: String) throws(GoogleError) {
        try check(aps, apsChecks, document, at: field)
        guard let alert = document.value(of: alert, in: aps), document.kind(at: alert) == .object else { return }
        try check(alert, alertChecks, document, at: "\(field).alert")
    }

    private static func check(
        _ object: JSONPlace, _ checks: [(key: [UInt8], shape: Shape)], _ document: JSONDocument, at field: String
    ) throws(GoogleError) {
        var key = document.firstKey(in: object)
        while let here = key {
            let kind = document.kind(at: document.value(ofKey: here))
            for entry in checks where document.isString(entry.key, at: here) && !matches(kind, entry.shape) {
                throw error(entry.shape, document.view(at: here).string ?? "", field, kind)
            }
            key = document.key(after: here, in: object)
        }
    }

    private static func matches(_ kind: JSONKind, _ shape: Shape) -> Bool {
        switch shape {
        // Google does not check the value of a number; the phone may ignore it.
        case .number: kind == .number || kind == .null
        case .string: kind == .string || kind == .null
        case .stringOrObject: kind == .string || kind == .object || kind == .null
        }
    }

    private static let names: [JSONKind: String] = [
        .bool: "true or false", .number: "a number", .string: "a string", .array: "an array", .object: "an object",
    ]

    private static func error(_ shape: Shape, _ key: String, _ field: String, _ kind: JSONKind) -> GoogleError {
        let found = names[kind] ?? "null"
        return switch shape {
        case .number: .apsType(key, "number", at: "\(field).\(key)", found: found)
        case .string: .apsType(key, "String", at: "\(field).\(key)", found: found)
        case .stringOrObject: .value(at: "\(field).\(key)", rule: "fcm.aps-type")
        }
    }

    private static func checks(_ table: [Shape: [String]]) -> [(key: [UInt8], shape: Shape)] {
        table.flatMap { shape, keys in keys.map { (Array($0.utf8), shape) } }
    }
}

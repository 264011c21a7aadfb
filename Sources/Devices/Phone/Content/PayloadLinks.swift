internal import JSON
internal import PushCore

/// The URLs in a payload outside `aps`, each with its place. An extension of the sender's own may read any of them.
struct PayloadLinks: Sendable {
    /// So that a payload of links costs little.
    private static let limit = 20
    private static let deepest = 4

    private var links: [(place: JSONPointer, url: String)] = []

    init() {}

    init(_ payload: JSONView) {
        guard payload.kind == .object else { return }
        for (key, value) in payload.members {
            if let key = key.string, key != "aps" { collect(value, at: JSONPointer(tokens: [key])) }
        }
    }

    private mutating func collect(_ value: JSONView, at place: JSONPointer) {
        guard links.count < Self.limit else { return }
        switch value.kind {
        case .string:
            if let text = value.string, text.includes("://") { links.append((place, text)) }
        case .object where place.tokens.count < Self.deepest:
            for (key, inner) in value.members {
                if let key = key.string { collect(inner, at: place.appending(key)) }
            }
        case .object, .array, .null, .bool, .number: break
        }
    }

    /// The URL at a place. If a key is repeated, its last value counts.
    subscript(place: JSONPointer) -> String? { links.last { $0.place == place }?.url }

    /// The memory in bytes.
    var size: Int { links.reduce(0) { $0 &+ 64 &+ $1.url.utf8.count } }
}

internal import HTTPCore
internal import JSON

/// The parts of one request that faults look at. Each is prepared when the first fault needs it, and then serves all
/// faults.
struct RequestParts {
    /// Nil if there is no request.
    private let request: Request?
    private(set) lazy var path = request.map { Array($0.path) }
    private var fields: Fields?
    /// The body as Apple's parser reads it. The inner value is nil if it is not JSON.
    private var appleBody: JSONLookup??
    /// The body as Google's parser reads it.
    private var googleBody: JSONLookup??
    /// How often the body was parsed.
    private(set) var parseCount = 0

    init(_ request: Request?) { self.request = request }

    /// A field's name and value, with a byte between them that no field contains.
    static func field(_ name: some Sequence<UInt8>, _ value: some Sequence<UInt8>) -> HashedBytes {
        HashedBytes(Array(name) + [0] + Array(value))
    }

    mutating func hasAll(_ wanted: [HashedBytes]) -> Bool {
        if wanted.isEmpty { return true }
        if fields == nil { fields = Fields(request) }
        return wanted.allSatisfy { fields?.contains($0) ?? false }
    }

    mutating func bodyHas(_ value: HashedJSON, at path: JSONLookup.Path, isApple: Bool) -> Bool {
        if isApple {
            if appleBody == nil { appleBody = .some(parse(.rfc8259)) }
            return appleBody??.has(value, at: path) ?? false
        }
        if googleBody == nil { googleBody = .some(parse(.google)) }
        return googleBody??.has(value, at: path) ?? false
    }

    private mutating func parse(_ dialect: JSONDialect) -> JSONLookup? {
        parseCount += 1
        return request.flatMap { try? JSONDocument(parsing: $0.body, dialect: dialect) }.map(JSONLookup.init)
    }

    /// The fields of a request. Each field sets one of the `bits`. If the bit of a wanted field is not set, the request
    /// does not have the field, so most searches in the set are saved.
    private struct Fields {
        private var all: Set<HashedBytes> = []
        private var bits = [Bool](repeating: false, count: 4096)

        init(_ request: Request?) {
            for (name, value) in request?.headers ?? HeaderBlock() {
                let field = RequestParts.field(name, value)
                all.insert(field)
                bits[field.digest & 4095] = true
            }
        }

        func contains(_ field: HashedBytes) -> Bool { bits[field.digest & 4095] && all.contains(field) }
    }
}

/// How many more bytes and fields one section (the header or the trailer) may have.
struct FieldBudget: Sendable {
    private var bytes: Int
    private var fields: Int
    /// The error to throw if the section has too many bytes.
    let tooLarge: Refusal
    private let tooMany: Refusal

    static func header(_ limits: Limits) -> FieldBudget {
        FieldBudget(
            bytes: limits.headerBytes, fields: limits.headerFields,
            tooLarge: .headerTooLarge, tooMany: .tooManyFields)
    }

    static func trailer(_ limits: Limits) -> FieldBudget {
        FieldBudget(
            bytes: limits.trailerBytes, fields: limits.trailerFields,
            tooLarge: .trailersTooLarge, tooMany: .tooManyTrailers)
    }

    /// The longest line that still fits. A longer one is refused before all of it has arrived.
    var lineLimit: Int { max(0, bytes - 2) }

    /// Counts one field of `count` bytes plus its line end. `count` must not exceed `lineLimit`.
    mutating func spend(_ count: Int) throws(Refusal) {
        guard fields > 0 else { throw tooMany }
        fields -= 1
        bytes -= count + 2
    }
}

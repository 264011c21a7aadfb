/// What is left of the limits on a section of fields, the header's or the trailer's.
struct FieldBudget: Sendable {
    private var bytes: Int
    private var fields: Int
    /// What to throw when the section has too many octets.
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

    /// The longest line that still fits, so that a longer one is refused before it is whole.
    var lineLimit: Int { max(0, bytes - 2) }

    /// Counts a line of `count` octets, which kept to `lineLimit`, and its end.
    mutating func spend(_ count: Int) throws(Refusal) {
        guard fields > 0 else { throw tooMany }
        fields -= 1
        bytes -= count + 2
    }
}

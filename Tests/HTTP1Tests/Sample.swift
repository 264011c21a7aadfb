import Testing

/// One line of a table: an input and what has to come of it.
struct Sample: CustomTestStringConvertible, Sendable {
    let name: String
    let input: String
    let events: [String]

    init(_ name: String, _ input: String, _ events: String...) {
        self.name = name
        self.input = input
        self.events = events
    }

    var testDescription: String { name }
}

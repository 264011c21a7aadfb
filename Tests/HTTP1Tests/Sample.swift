import Testing

/// One row of a table: an input and the expected events.
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

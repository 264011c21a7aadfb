import Testing

/// A row of a test table: steps, and the events that they must cause.
struct Steps: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let events: [String]
    let run: @Sendable (EngineFixture) -> Void

    init(_ name: String, _ events: [String], _ run: @escaping @Sendable (EngineFixture) -> Void) {
        testDescription = name
        self.events = events
        self.run = run
    }
}

/// What a parser made of its input, independent of how that was cut.
struct Outcome: Equatable {
    /// One line an event; neighbouring body data are one.
    private(set) var events: [String] = []
    /// Where in all of the input each event came, but those of body data, which a cut moves.
    private(set) var positions: [Int] = []
    private var body: [UInt8] = []

    mutating func add(_ event: String, at position: Int) {
        flush()
        events.append(event)
        positions.append(position)
    }

    mutating func add(body data: ArraySlice<UInt8>) { body.append(contentsOf: data) }

    mutating func finish(_ last: String? = nil) {
        flush()
        if let last { events.append(last) }
    }

    private mutating func flush() {
        guard !body.isEmpty else { return }
        events.append("body " + String(decoding: body, as: UTF8.self))
        body = []
    }
}

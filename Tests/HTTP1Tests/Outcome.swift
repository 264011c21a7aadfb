/// The events that a parser produced, in a form that does not depend on how the input was split.
struct Outcome: Equatable {
    /// One string for each event. Adjacent body data are joined into one.
    private(set) var events: [String] = []
    /// The offset in the input at which each event was reported. Body data have none, because it depends on the split.
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

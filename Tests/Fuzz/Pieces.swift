/// A fuzz input of which the first four bytes say how the rest is used: a byte of options, then the lengths of three
/// pieces that the rest is cut into, over and over.
struct Pieces {
    let options: UInt8
    let bytes: [UInt8]
    private let lengths: [Int]

    /// Nil where there are not even those four bytes.
    init?(_ input: [UInt8]) {
        guard input.count >= 4 else { return nil }
        options = input[0]
        lengths = input[1..<4].map(Int.init)
        bytes = Array(input[4...])
    }

    func isSet(_ option: Int) -> Bool { options >> UInt8(option) & 1 == 1 }

    /// All at once, byte by byte, and as the input says; empty pieces are among them.
    var cuts: [[ArraySlice<UInt8>]] { [[bytes[...]], bytes.indices.map { bytes[$0...$0] }, chosen] }

    var chosen: [ArraySlice<UInt8>] { cut(bytes) }

    /// Other bytes, cut as the input says.
    func cut(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var pieces: [ArraySlice<UInt8>] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            // Three empty pieces in a row would never end.
            let length = pieces.count % 3 == 0 ? max(1, lengths[0]) : lengths[pieces.count % 3]
            pieces.append(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return pieces
    }
}

/// What a parser made of its input, however that was cut: a line an event, with its place where that cannot move.
struct Trace: Equatable {
    private(set) var events: [String] = []
    private var data: [UInt8] = []

    mutating func add(_ event: String, at position: Int? = nil) {
        flush()
        events.append(position.map { "\(event) @\($0)" } ?? event)
    }

    /// Neighbouring data are one event.
    mutating func add(data more: ArraySlice<UInt8>) { data.append(contentsOf: more) }

    mutating func end(_ last: String? = nil) {
        flush()
        if let last { events.append(last) }
    }

    private mutating func flush() {
        if !data.isEmpty { events.append("data \(data)") }
        data = []
    }

    /// Demands that all cuts of an input make the same of it.
    static func demandSame(_ pieces: Pieces, _ run: ([ArraySlice<UInt8>]) -> Trace) {
        let cuts = pieces.cuts
        let whole = run(cuts[0])
        for cut in cuts.dropFirst() {
            let other = run(cut)
            demand(
                other == whole, "in pieces of \(cut.map(\.count)): \(other.events), whole: \(whole.events)")
        }
    }
}

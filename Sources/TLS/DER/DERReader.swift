/// Reads DER elements one after the other from untrusted bytes.
///
/// Supports tags of one byte and lengths of at most four bytes. Anything else, and an element that extends past the
/// end, is `Malformed`.
struct DERReader {
    struct Malformed: Error {}

    struct Element {
        let tag: UInt8
        let contents: ArraySlice<UInt8>

        func isA(_ tag: DERTag) -> Bool { self.tag == tag.rawValue }
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    var isAtEnd: Bool { rest.isEmpty }

    /// A reader for the elements of a sequence, which must take up all of `bytes`.
    static func contents(ofSequence bytes: ArraySlice<UInt8>) throws(Malformed) -> DERReader {
        var reader = DERReader(bytes)
        let sequence = try reader.next(.sequence)
        guard reader.isAtEnd else { throw Malformed() }
        return DERReader(sequence)
    }

    /// The contents of the next element, which must have this tag.
    mutating func next(_ tag: DERTag) throws(Malformed) -> ArraySlice<UInt8> {
        let element = try next()
        guard element.isA(tag) else { throw Malformed() }
        return element.contents
    }

    mutating func next() throws(Malformed) -> Element {
        let tag = try byte()
        guard tag & 0x1F != 0x1F else { throw Malformed() }
        let count = try length()
        guard count <= rest.count else { throw Malformed() }
        defer { rest = rest.dropFirst(count) }
        return Element(tag: tag, contents: rest.prefix(count))
    }

    /// Whether the next element has this tag; false at the end.
    func isNext(_ tag: DERTag) -> Bool { rest.first == tag.rawValue }

    private mutating func length() throws(Malformed) -> Int {
        let first = try byte()
        guard first >= 0x80 else { return Int(first) }
        guard first > 0x80, first <= 0x84 else { throw Malformed() }
        var count = 0
        for _ in 0..<(first & 0x7F) { count = count << 8 | Int(try byte()) }
        return count
    }

    private mutating func byte() throws(Malformed) -> UInt8 {
        guard let byte = rest.popFirst() else { throw Malformed() }
        return byte
    }
}

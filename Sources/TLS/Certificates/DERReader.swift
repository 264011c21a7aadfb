/// Reads DER elements one after the other from bytes that anybody may have sent.
///
/// Takes one-octet tags and lengths of at most four octets; anything else, and anything that reaches beyond
/// the end, is `Malformed`.
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

    /// The elements of a sequence that is all there is in `bytes`.
    static func contents(ofSequence bytes: ArraySlice<UInt8>) throws(Malformed) -> DERReader {
        var reader = DERReader(bytes)
        let sequence = try reader.next(.sequence)
        guard reader.isAtEnd else { throw Malformed() }
        return DERReader(sequence)
    }

    /// The contents of the next element, which has to have this tag.
    mutating func next(_ tag: DERTag) throws(Malformed) -> ArraySlice<UInt8> {
        let element = try next()
        guard element.isA(tag) else { throw Malformed() }
        return element.contents
    }

    mutating func next() throws(Malformed) -> Element {
        let tag = try octet()
        guard tag & 0x1F != 0x1F else { throw Malformed() }
        let count = try length()
        guard count <= rest.count else { throw Malformed() }
        defer { rest = rest.dropFirst(count) }
        return Element(tag: tag, contents: rest.prefix(count))
    }

    /// Whether the next element has this tag; false at the end.
    func isNext(_ tag: DERTag) -> Bool { rest.first == tag.rawValue }

    private mutating func length() throws(Malformed) -> Int {
        let first = try octet()
        guard first >= 0x80 else { return Int(first) }
        guard first > 0x80, first <= 0x84 else { throw Malformed() }
        var count = 0
        for _ in 0..<(first & 0x7F) { count = count << 8 | Int(try octet()) }
        return count
    }

    private mutating func octet() throws(Malformed) -> UInt8 {
        guard let octet = rest.popFirst() else { throw Malformed() }
        return octet
    }
}

/// A value that is the content of a record.
package protocol SavedValue {
    func write(to writer: inout ByteWriter)
    /// Throws if the bytes were not written by `write(to:)`. A value that the control API refuses is damage too.
    init(from reader: inout ByteReader) throws(ByteReader.Damage)
}

extension SavedValue {
    package var savedBytes: [UInt8] {
        var writer = ByteWriter()
        write(to: &writer)
        return writer.bytes
    }
}

extension SavedValue {
    /// Reads a value that takes all of the bytes.
    package init(saved bytes: [UInt8]) throws(ByteReader.Damage) {
        var reader = ByteReader(bytes)
        try self.init(from: &reader)
        guard reader.isAtEnd else { throw ByteReader.Damage() }
    }
}

extension ByteReader {
    /// Reads one of an enumeration's words.
    package mutating func word<Word: RawRepresentable<String>>(_: Word.Type = Word.self) throws(Damage) -> Word {
        guard let word = Word(rawValue: try text()) else { throw Damage() }
        return word
    }
}

/// A plain number.
extension UInt64: SavedValue {
    package func write(to writer: inout ByteWriter) { writer.number(self) }
    package init(from reader: inout ByteReader) throws(ByteReader.Damage) { self = try reader.number() }
}

/// The format in which a generator's state is stored on disk.
extension Random {
    package func write(to writer: inout ByteWriter) { for word in words { writer.number(word) } }

    package init(from reader: inout ByteReader) throws(ByteReader.Damage) {
        let words = [try reader.number(), try reader.number(), try reader.number(), try reader.number()]
        // From four zeros the generator returns only zeros, and Swift's `random(in:)` could then loop forever.
        guard words.contains(where: { $0 != 0 }) else { throw ByteReader.Damage() }
        self.init(words: words)
    }
}

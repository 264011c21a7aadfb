/// The format in which a generator's state is stored on disk.
extension Random {
    package func write(to writer: inout ByteWriter) { for word in words { writer.number(word) } }

    package init(from reader: inout ByteReader) throws(ByteReader.Damage) {
        let words = [try reader.number(), try reader.number(), try reader.number(), try reader.number()]
        // In this state the generator would return only zeros, for which Swift's bounded numbers wait forever.
        guard words.contains(where: { $0 != 0 }) else { throw ByteReader.Damage() }
        self.init(words: words)
    }
}

/// The format in which a push's traits are stored on disk.
extension PushTraits {
    package func write(to writer: inout ByteWriter) {
        writer.text(provider.rawValue)
        writer.text(name)
        writer.signed(sent.milliseconds)
        writer.signed(Int64(priority))
        writer.flag(expires != nil)
        writer.signed(expires?.milliseconds ?? 0)
        writer.flag(onlyShowsNotification)
        writer.byteArray(collapseID)
        writer.flag(worksInDirectBoot)
    }

    package init(from reader: inout ByteReader) throws(ByteReader.Damage) {
        guard let provider = Provider(rawValue: try reader.text()) else { throw ByteReader.Damage() }
        let (name, sent, priority) = (
            try reader.text(), try reader.timestamp(), Int(clamping: try reader.signed())
        )
        let (expires, moment) = (try reader.flag(), try reader.timestamp())
        self.init(
            provider: provider, name: name, sent: sent, priority: priority, expires: expires ? moment : nil,
            onlyShowsNotification: try reader.flag(), collapseID: try reader.byteArray(),
            worksInDirectBoot: try reader.flag())
    }
}

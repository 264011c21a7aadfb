package import APNs
package import PushCore

/// Saving and restoring a broadcast channel. Its subscribers are saved with the devices.
extension ChannelRegistry.Channel: SavedValue {
    package func write(to writer: inout ByteWriter) {
        writer.number(UInt64(storagePolicy))
        writer.flag(isDeleted)
    }

    package init(from reader: inout ByteReader) throws(ByteReader.Damage) {
        self.init(storagePolicy: try reader.count(upTo: 1), isDeleted: try reader.flag())
    }
}

extension ChannelRegistry.Key {
    /// The key of the channel's record, such as `production ID APP`. Only the app may contain spaces.
    var text: String { "\(environment.rawValue) \(id) \(app)" }

    init?(text: String) {
        let parts = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let environment = PushEnvironment(rawValue: parts[0]) else { return nil }
        self.init(parts[1], of: parts[2], in: environment)
    }
}

package import Devices
internal import PushCore

/// What devices get when they fetch a URL.
extension PushEngine {
    /// The longest delay of a fetch, in milliseconds: 30 days.
    package static let longestMediaDelay: Int64 = 720 * 3600 * 1000
    package static let mediaStatuses = 100...599
    package static let mediaSizes = 0...1 << 40

    package mutating func setMedia(_ media: Media, for url: String) {
        self.media[url] = media
        changes.note(.media, url)
    }

    /// False if no response was set for the URL.
    package mutating func removeMedia(for url: String) -> Bool {
        guard media[url] != nil else { return false }
        media[url] = nil
        changes.note(.media, url)
        return true
    }

    package mutating func removeAllMedia() {
        for url in media.urls.all { changes.note(.media, url) }
        media = MediaTable()
    }
}

extension Media: SavedValue {
    func write(to writer: inout ByteWriter) {
        writer.number(UInt64(status))
        writer.text(contentType)
        writer.number(UInt64(size))
        writer.signed(delay)
    }

    init(from reader: inout ByteReader) throws(ByteReader.Damage) {
        let (status, type) = (try reader.count(upTo: PushEngine.mediaStatuses.upperBound), try reader.text())
        guard PushEngine.mediaStatuses.contains(status) else { throw ByteReader.Damage() }
        self.init(
            status: status, contentType: type, size: try reader.count(upTo: PushEngine.mediaSizes.upperBound),
            delay: try reader.signed(in: 0...PushEngine.longestMediaDelay))
    }
}

package import Devices
package import PushCore

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

    /// Whether the table has room for this content, which replaces what it has for the URL.
    package func hasRoom(for content: [UInt8], at url: String) -> Bool {
        media.byteCount &- (media[url]?.content?.count ?? 0) &+ content.count <= MediaTable.byteCapacity
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

    /// Gives a device the file that it wants: from the table, or later, if the gateway fetches files.
    mutating func fetch(_ request: FetchRequest, _ push: PushID, _ slot: Int, at now: Timestamp) {
        if let media = media[request.url] { return simulate(.fetched(push, .received(media)), slot, at: now) }
        guard fetchesMedia else { return simulate(.fetched(push, .skipped(nil)), slot, at: now) }
        pendingWork.fetches.append(DeviceFetch(device: devices.reference(to: slot), push: push, request: request))
        requestWake(of: slot, at: now + request.patience)
    }

    /// Passes the result on to the device, unless it was removed meanwhile.
    package mutating func fetched(_ fetch: DeviceFetch, _ result: FetchResult, at now: Timestamp) {
        guard let slot = devices.slot(of: fetch.device) else { return }
        simulate(.fetched(fetch.push, result), slot, at: now)
    }
}

/// A file that a device waits for.
package struct DeviceFetch: Sendable {
    let device: DeviceRef
    let push: PushID
    package let request: FetchRequest
}

extension Media: SavedValue {
    package func write(to writer: inout ByteWriter) {
        writer.number(UInt64(status))
        writer.text(contentType)
        writer.number(UInt64(size))
        writer.signed(delay)
        writer.number(UInt64(clamping: format.flatMap(Self.formats.firstIndex).map { $0 &+ 1 } ?? 0))
        if let content { writer.byteArray(content) }
    }

    package init(from reader: inout ByteReader) throws(ByteReader.Damage) {
        let (status, type) = (try reader.count(upTo: PushEngine.mediaStatuses.upperBound), try reader.text())
        guard PushEngine.mediaStatuses.contains(status) else { throw ByteReader.Damage() }
        self.init(
            status: status, contentType: type, size: try reader.count(upTo: PushEngine.mediaSizes.upperBound),
            delay: try reader.signed(in: 0...PushEngine.longestMediaDelay))
        // Older records end here.
        guard !reader.isAtEnd else { return }
        let number = try reader.count(upTo: Self.formats.count)
        format = number == 0 ? nil : Self.formats.prefix(number).last
        if !reader.isAtEnd { content = try reader.byteArray() }
    }

    private static let formats = MediaFormat.allCases
}

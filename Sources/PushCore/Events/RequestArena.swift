internal import HTTPCore

/// Stores requests back to back in large segments, and drops the oldest segment as a whole.
///
/// With a separate array for each request, a push took an eighth longer, because each array was freed after it had left
/// the processor's cache (docs/notes/event-log.md).
struct RequestArena: Sendable {
    private struct Segment: Sendable {
        var bytes: [UInt8] = []
        var places: [HeaderBlock.Place] = []
        /// The bytes that its removed requests take.
        var removed = 0
        /// The new places of the remaining requests after a `cut`. Each key is the byte at which the request began
        /// when it was stored. Nil if there was no `cut`.
        var moved: [UInt32: RequestHandle]?

        func view(_ handle: RequestHandle) -> RequestView? {
            guard let moved else { return view(at: handle) }
            return moved[handle.headerStart].map(view(at:))
        }

        func body(_ handle: RequestHandle) -> ArraySlice<UInt8>? {
            guard let moved else { return bytes[handle.body] }
            return moved[handle.headerStart].map { bytes[$0.body] }
        }

        private func view(at place: RequestHandle) -> RequestView {
            RequestView(
                version: place.version, bodyIsOverLimit: place.bodyIsOverLimit,
                places: places[place.places], storage: bytes[place.header], body: bytes[place.body])
        }

        /// The bytes that its requests take.
        var size: Int { bytes.count + places.count * MemoryLayout<HeaderBlock.Place>.size }
    }

    /// The full segments, oldest first, and the segment that is being filled.
    private var full: [Segment] = []
    private var segment = Segment()
    /// The number of the oldest segment that has not been dropped.
    private var first = 0
    /// The part of the log that the requests belong to.
    private let part: EventLog.Part
    private static let segmentSize = 256 << 10

    init(for part: EventLog.Part) { self.part = part }

    /// Copies a request into the arena. The result is the key to look it up.
    mutating func store(_ request: borrowing Request) -> RequestHandle {
        let (headerSize, bodySize) = (request.headers.storage.count, request.body.count)
        let size = headerSize + bodySize
        if segment.bytes.count + size > segment.bytes.capacity { startSegment(atLeast: size) }
        let handle = RequestHandle(
            segment: first + full.count, fields: segment.places.count, fieldCount: request.headers.count,
            start: segment.bytes.count, headerSize: headerSize, bodySize: bodySize, version: request.version,
            bodyIsOverLimit: request.bodyIsOverLimit, part: part)
        segment.bytes.append(contentsOf: request.headers.storage)
        segment.places.append(contentsOf: request.headers.places)
        segment.bytes.append(contentsOf: request.body)
        return handle
    }

    subscript(place: RequestHandle) -> Request? {
        guard let view = view(place) else { return nil }
        var request = Request(
            version: view.version, headers: HeaderBlock(storage: Array(view.storage), places: Array(view.places)))
        request.body = Array(view.body)
        request.bodyIsOverLimit = view.bodyIsOverLimit
        return request
    }

    /// The request at that place, without a copy. Nil if its segment was dropped or `cut` removed it.
    func view(_ place: RequestHandle) -> RequestView? {
        guard place.segment >= first else { return nil }
        let index = place.segment - first
        return index < full.count ? full[index].view(place) : segment.view(place)
    }

    /// The body of the request at that place, without a copy. Nil if its segment was dropped or `cut` removed it.
    func body(_ place: RequestHandle) -> ArraySlice<UInt8>? {
        guard place.segment >= first else { return nil }
        let index = place.segment - first
        return index < full.count ? full[index].body(place) : segment.body(place)
    }

    /// The number of segments, full or not.
    var segments: Int { full.count + 1 }

    /// Drops the segments before this one, but not the one that is being filled.
    mutating func forget(before segment: Int) {
        let count = min(segment - first, full.count)
        guard count > 0 else { return }
        full.removeFirst(count)
        first += count
    }

    /// Counts a request that was removed. True if its segment is full and most of it is removed requests, so that
    /// `cut` is worthwhile.
    mutating func noteRemoval(of size: Int, in number: Int) -> Bool {
        let index = number - first
        guard full.indices.contains(index) else { return false }
        full[index].removed += size
        return full[index].removed > full[index].size / 2
    }

    /// Gives back the memory of a full segment's requests, except for these ones. Their handles stay valid.
    mutating func cut(_ number: Int, keeping handles: [RequestHandle]) {
        let index = number - first
        guard full.indices.contains(index) else { return }
        var cut = Segment()
        var moved: [UInt32: RequestHandle] = [:]
        cut.bytes.reserveCapacity(handles.reduce(0) { $0 + $1.byteCount })
        cut.places.reserveCapacity(handles.reduce(0) { $0 + $1.places.count })
        moved.reserveCapacity(handles.count)
        for handle in handles {
            guard let view = full[index].view(handle) else { continue }
            moved[handle.headerStart] = handle.moved(toField: cut.places.count, byte: cut.bytes.count)
            cut.places.append(contentsOf: view.places)
            cut.bytes.append(contentsOf: view.storage)
            cut.bytes.append(contentsOf: view.body)
        }
        cut.moved = moved
        full[index] = cut
    }

    private mutating func startSegment(atLeast size: Int) {
        if !segment.bytes.isEmpty { full.append(segment) }
        // Requests are alike, so this segment needs about as many places as the previous one.
        let placeCount = segment.places.count * 5 / 4
        segment = Segment()
        segment.bytes.reserveCapacity(max(size, Self.segmentSize))
        segment.places.reserveCapacity(placeCount)
    }
}

/// The position of a request in the log's memory.
package struct RequestHandle: Sendable {
    private let segmentNumber: UInt32
    private var firstField: UInt32
    private let fieldCount: UInt32
    fileprivate private(set) var headerStart: UInt32
    private let headerSize: UInt32
    private let bodySize: UInt32
    let version: HTTPVersion
    let bodyIsOverLimit: Bool
    /// The part of the log that stores the request.
    let part: EventLog.Part

    init(
        segment: Int, fields: Int, fieldCount: Int, start: Int, headerSize: Int, bodySize: Int, version: HTTPVersion,
        bodyIsOverLimit: Bool, part: EventLog.Part
    ) {
        segmentNumber = UInt32(segment)
        firstField = UInt32(fields)
        self.fieldCount = UInt32(fieldCount)
        headerStart = UInt32(start)
        self.headerSize = UInt32(headerSize)
        self.bodySize = UInt32(bodySize)
        self.version = version
        self.bodyIsOverLimit = bodyIsOverLimit
        self.part = part
    }

    var segment: Int { Int(segmentNumber) }

    /// The range of the header fields' positions in the segment's `places`.
    var places: Range<Int> { Int(firstField)..<Int(firstField + fieldCount) }
    /// The range of the header's bytes in the segment.
    var header: Range<Int> { Int(headerStart)..<Int(headerStart + headerSize) }
    /// The range of the body's bytes in the segment, right after the header.
    var body: Range<Int> { header.upperBound..<header.upperBound + Int(bodySize) }

    /// The bytes of the header and the body.
    fileprivate var byteCount: Int { header.count + Int(bodySize) }

    /// The bytes that this request takes in memory.
    package var size: Int { byteCount + Int(fieldCount) * MemoryLayout<HeaderBlock.Place>.size }

    /// The handle of the same request at another place of its segment.
    fileprivate func moved(toField field: Int, byte: Int) -> RequestHandle {
        var handle = self
        (handle.firstField, handle.headerStart) = (UInt32(field), UInt32(byte))
        return handle
    }
}

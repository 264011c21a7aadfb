internal import HTTPCore

/// Stores requests back to back in large segments, and drops the oldest segment as a whole.
///
/// Ten thousand requests in separate arrays would need ten thousand frees of memory that is no longer in the cache.
/// Storing them here makes a push a tenth cheaper.
struct RequestArena: Sendable {
    private struct Segment: Sendable {
        var bytes: [UInt8] = []
        var places: [HeaderBlock.Place] = []

        func view(_ place: RequestHandle) -> RequestView {
            RequestView(
                version: place.version, bodyIsOverLimit: place.bodyIsOverLimit,
                places: places[place.fields..<(place.fields + place.fieldCount)],
                storage: bytes[place.header..<(place.header + place.headerSize)],
                body: bytes[place.body..<(place.body + place.bodySize)])
        }
    }

    /// The full segments, oldest first, and the segment that is being filled.
    private var full: [Segment] = []
    private var segment = Segment()
    /// The number of the oldest segment that has not been dropped.
    private var first = 0
    private static let segmentSize = 256 << 10
    /// The header fields that were last copied into the segment being filled, and where they are. A sender of many FCM
    /// messages, or of many pushes to one device, repeats all of them, and a request with the same fields shares them.
    private var last: (headers: HeaderBlock, fields: Int, start: Int)?

    /// Copies a request into the arena. The result is the key to look it up.
    mutating func store(_ request: borrowing Request) -> RequestHandle {
        let size = request.headers.storage.count + request.body.count
        if segment.bytes.count + size > segment.bytes.capacity { startSegment(atLeast: size) }
        let hasSameFields = last.map { $0.headers == request.headers } ?? false
        if !hasSameFields {
            last = (request.headers, segment.places.count, segment.bytes.count)
            segment.bytes.append(contentsOf: request.headers.storage)
            segment.places.append(contentsOf: request.headers.places)
        }
        let place = RequestHandle(
            segment: first + full.count, fields: last?.fields ?? 0, fieldCount: request.headers.count,
            header: last?.start ?? 0,
            headerSize: request.headers.storage.count,
            body: segment.bytes.count, bodySize: request.body.count, version: request.version,
            bodyIsOverLimit: request.bodyIsOverLimit, sharesFields: hasSameFields)
        segment.bytes.append(contentsOf: request.body)
        return place
    }

    subscript(place: RequestHandle) -> Request? {
        guard let view = view(place) else { return nil }
        var request = Request(
            version: view.version, headers: HeaderBlock(storage: Array(view.storage), places: Array(view.places)))
        request.body = Array(view.body)
        request.bodyIsOverLimit = view.bodyIsOverLimit
        return request
    }

    /// The request at that place, without a copy. Nil if its segment was dropped.
    func view(_ place: RequestHandle) -> RequestView? {
        guard place.segment >= first else { return nil }
        let index = place.segment - first
        return index < full.count ? full[index].view(place) : segment.view(place)
    }

    /// Drops the segments before this one.
    mutating func forget(before segment: Int) {
        guard segment > first else { return }
        full.removeFirst(segment - first)
        first = segment
    }

    private mutating func startSegment(atLeast size: Int) {
        if !segment.bytes.isEmpty { full.append(segment) }
        segment = Segment()
        last = nil
        segment.bytes.reserveCapacity(max(size, Self.segmentSize))
    }
}

/// The position of a request in the log's memory.
package struct RequestHandle: Sendable {
    private let numbers: (UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32)
    let version: HTTPVersion
    let bodyIsOverLimit: Bool
    /// The header bytes belong to an earlier request in this segment.
    private let sharesFields: Bool

    init(
        segment: Int, fields: Int, fieldCount: Int, header: Int, headerSize: Int, body: Int, bodySize: Int,
        version: HTTPVersion,
        bodyIsOverLimit: Bool, sharesFields: Bool
    ) {
        numbers = (
            UInt32(segment), UInt32(fields), UInt32(fieldCount), UInt32(header), UInt32(headerSize), UInt32(bodySize),
            UInt32(body)
        )
        self.version = version
        self.bodyIsOverLimit = bodyIsOverLimit
        self.sharesFields = sharesFields
    }

    var segment: Int { Int(numbers.0) }
    var fields: Int { Int(numbers.1) }
    var fieldCount: Int { Int(numbers.2) }
    var header: Int { Int(numbers.3) }
    var headerSize: Int { Int(numbers.4) }
    var bodySize: Int { Int(numbers.5) }
    var body: Int { Int(numbers.6) }

    /// The bytes that this request takes in memory, without fields that it shares with an earlier one.
    package var size: Int {
        bodySize + (sharesFields ? 0 : headerSize + fieldCount * MemoryLayout<HeaderBlock.Place>.size)
    }
}

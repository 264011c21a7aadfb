internal import HTTPCore

/// Requests back to back in large segments, the oldest segment dropped whole.
///
/// Ten thousand requests in arrays of their own are as many cold frees: keeping them here makes a push a tenth
/// cheaper.
struct RequestArena: Sendable {
    private struct Segment: Sendable {
        var bytes: [UInt8] = []
        var places: [HeaderBlock.Place] = []

        func view(_ place: RequestPlace) -> RequestView {
            let body = place.header + place.headerSize
            return RequestView(
                version: place.version, bodyIsOverLimit: place.bodyIsOverLimit, places: places[place.fields..<(place.fields + place.fieldCount)],
                storage: bytes[place.header..<body], body: bytes[body..<(body + place.bodySize)])
        }
    }

    /// Full ones, the oldest first, and the one being filled.
    private var full: [Segment] = []
    private var segment = Segment()
    /// The number of the oldest segment that is still there.
    private var first = 0
    private static let segmentSize = 256 << 10

    /// Copies a request in. What is kept is found again by the place.
    mutating func keep(_ request: Request) -> RequestPlace {
        let size = request.headers.storage.count + request.body.count
        if segment.bytes.count + size > segment.bytes.capacity { startSegment(atLeast: size) }
        let place = RequestPlace(
            segment: first + full.count, fields: segment.places.count, fieldCount: request.headers.count,
            header: segment.bytes.count, headerSize: request.headers.storage.count, bodySize: request.body.count,
            version: request.version, bodyIsOverLimit: request.bodyIsOverLimit)
        segment.bytes.append(contentsOf: request.headers.storage)
        segment.bytes.append(contentsOf: request.body)
        segment.places.append(contentsOf: request.headers.places)
        return place
    }

    subscript(place: RequestPlace) -> Request? {
        guard place.segment >= first else { return nil }
        let index = place.segment - first
        let segment = index < full.count ? full[index] : segment
        let body = place.header + place.headerSize
        var request = Request(
            version: place.version,
            headers: HeaderBlock(
                storage: Array(segment.bytes[place.header..<body]),
                places: Array(segment.places[place.fields..<(place.fields + place.fieldCount)])))
        request.body = Array(segment.bytes[body..<(body + place.bodySize)])
        request.bodyIsOverLimit = place.bodyIsOverLimit
        return request
    }

    /// What is kept there, in its place.
    func view(_ place: RequestPlace) -> RequestView? {
        guard place.segment >= first else { return nil }
        let index = place.segment - first
        return index < full.count ? full[index].view(place) : segment.view(place)
    }

    /// Nothing before this segment is asked for again.
    mutating func forget(before segment: Int) {
        guard segment > first else { return }
        full.removeFirst(segment - first)
        first = segment
    }

    private mutating func startSegment(atLeast size: Int) {
        if !segment.bytes.isEmpty { full.append(segment) }
        segment = Segment()
        segment.bytes.reserveCapacity(max(size, Self.segmentSize))
    }
}

/// Where a request lies in the log's memory.
package struct RequestPlace: Sendable {
    private let numbers: (UInt32, UInt32, UInt32, UInt32, UInt32, UInt32)
    let version: HTTPVersion
    let bodyIsOverLimit: Bool

    init(
        segment: Int, fields: Int, fieldCount: Int, header: Int, headerSize: Int, bodySize: Int, version: HTTPVersion,
        bodyIsOverLimit: Bool
    ) {
        numbers = (
            UInt32(segment), UInt32(fields), UInt32(fieldCount), UInt32(header), UInt32(headerSize), UInt32(bodySize)
        )
        self.version = version
        self.bodyIsOverLimit = bodyIsOverLimit
    }

    var segment: Int { Int(numbers.0) }
    var fields: Int { Int(numbers.1) }
    var fieldCount: Int { Int(numbers.2) }
    var header: Int { Int(numbers.3) }
    var headerSize: Int { Int(numbers.4) }
    var bodySize: Int { Int(numbers.5) }

    /// What it holds in memory.
    var size: Int { headerSize + bodySize + fieldCount * MemoryLayout<HeaderBlock.Place>.size }
}

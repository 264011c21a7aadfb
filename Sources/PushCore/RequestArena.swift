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
            RequestView(
                version: place.version, bodyIsOverLimit: place.bodyIsOverLimit,
                places: places[place.fields..<(place.fields + place.fieldCount)],
                storage: bytes[place.header..<(place.header + place.headerSize)],
                body: bytes[place.body..<(place.body + place.bodySize)])
        }
    }

    /// Full ones, the oldest first, and the one being filled.
    private var full: [Segment] = []
    private var segment = Segment()
    /// The number of the oldest segment that is still there.
    private var first = 0
    private static let segmentSize = 256 << 10
    /// The fields that were copied last into the segment being filled, and where they lie: who sends many messages to
    /// Google, or many to a device, sends the same again.
    private var last: (headers: HeaderBlock, fields: Int, start: Int)?

    /// Copies a request in. What is kept is found again by the place.
    mutating func keep(_ request: Request) -> RequestPlace {
        let headers = request.headers
        let size = headers.storage.count + request.body.count
        if segment.bytes.count + size > segment.bytes.capacity { startSegment(atLeast: size) }
        let isAgain = last.map { $0.headers == headers } ?? false
        if !isAgain {
            last = (headers, segment.places.count, segment.bytes.count)
            segment.bytes.append(contentsOf: headers.storage)
            segment.places.append(contentsOf: headers.places)
        }
        let place = RequestPlace(
            segment: first + full.count, fields: last?.fields ?? 0, fieldCount: headers.count, header: last?.start ?? 0,
            headerSize: headers.storage.count,
            body: segment.bytes.count, bodySize: request.body.count, version: request.version,
            bodyIsOverLimit: request.bodyIsOverLimit, sharesFields: isAgain)
        segment.bytes.append(contentsOf: request.body)
        return place
    }

    subscript(place: RequestPlace) -> Request? {
        guard let view = view(place) else { return nil }
        var request = Request(
            version: view.version, headers: HeaderBlock(storage: Array(view.storage), places: Array(view.places)))
        request.body = Array(view.body)
        request.bodyIsOverLimit = view.bodyIsOverLimit
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
        last = nil
        segment.bytes.reserveCapacity(max(size, Self.segmentSize))
    }
}

/// Where a request lies in the log's memory.
package struct RequestPlace: Sendable {
    private let numbers: (UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32)
    let version: HTTPVersion
    let bodyIsOverLimit: Bool
    /// Another's.
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

    /// What it holds in memory by itself.
    var size: Int { bodySize + (sharesFields ? 0 : headerSize + fieldCount * MemoryLayout<HeaderBlock.Place>.size) }
}

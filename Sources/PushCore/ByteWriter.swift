package import HTTPCore

/// Encodes numbers and texts for the disk. A number takes seven bits per byte, the lowest first; a text follows its
/// length.
package struct ByteWriter: Sendable {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func number(_ value: UInt64) {
        if value < 0x80 { return bytes.append(UInt8(truncatingIfNeeded: value)) }
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    package mutating func signed(_ value: Int64) { number(UInt64(bitPattern: value << 1 ^ value >> 63)) }

    package mutating func flag(_ value: Bool) { bytes.append(value ? 1 : 0) }

    package mutating func octets(_ value: [UInt8]) {
        number(UInt64(value.count))
        bytes.append(contentsOf: value)
    }

    package mutating func text(_ value: String) {
        number(UInt64(value.utf8.count))
        bytes.append(contentsOf: value.utf8)
    }

    /// Nil and an empty text stay different.
    package mutating func optional(_ value: String?) {
        flag(value != nil)
        if let value { text(value) }
    }

    package mutating func request(_ request: Request) { self.request(RequestView(request), after: nil) }

    /// - Parameter last: the request that was written before this one, if any. A field that is the same at the same
    ///   position is written as a single 0, because senders repeat most of their fields.
    mutating func request(_ request: borrowing RequestView, after last: RequestView?) {
        number(Self.requestVersions.lowerBound + (request.version == .http10 ? 0 : request.version == .http11 ? 1 : 2))
        flag(request.bodyIsOverLimit)
        number(UInt64(request.places.count))
        let (lastPlaces, lastStorage) = (last?.places ?? [], last?.storage ?? [])
        let (places, bytesNow) = (request.places.span, request.storage.span)
        let (before, bytesBefore) = (lastPlaces.span, lastStorage.span)
        for index in places.indices {
            let place = places[index]
            let field = bytesNow.extracting(place.field)
            if index < before.count, before[index].hasSameShape(as: place),
                bytesBefore.extracting(before[index].field).equals(field)
            {
                number(0)
            } else {
                number(UInt64(place.name.count) + 1)
                number(UInt64(place.value.count))
                bytes.append(addingCapacity: field.count) { $0.append(field) }
            }
        }
        number(UInt64(request.body.count))
        bytes.append(contentsOf: request.body)
    }

    /// The first number of an encoded request: it stands for the format and for the HTTP version. The numbers 0 to 2
    /// belong to the older format, which stored the lengths of all fields and then their bytes in one piece.
    static let requestVersions: ClosedRange<UInt64> = 3...5
}

/// The parts of a request, wherever they are stored.
struct RequestView {
    let version: HTTPVersion
    let bodyIsOverLimit: Bool
    /// The positions of the fields in `storage`, counted from its start.
    let places: ArraySlice<HeaderBlock.Place>
    let storage: ArraySlice<UInt8>
    let body: ArraySlice<UInt8>
}

extension HeaderBlock.Place {
    /// Name and value, which are adjacent.
    fileprivate var field: Range<Int> { name.lowerBound..<value.upperBound }

    fileprivate func hasSameShape(as other: Self) -> Bool {
        quickKey == other.quickKey && name.count == other.name.count
    }
}

extension RequestView {
    init(_ request: Request) {
        self.init(
            version: request.version, bodyIsOverLimit: request.bodyIsOverLimit, places: request.headers.places[...],
            storage: request.headers.storage[...],
            body: request.body[...])
    }
}

/// Reads what a `ByteWriter` wrote.
package struct ByteReader: Sendable {
    /// The bytes are not what a `ByteWriter` wrote.
    package struct Damage: Error, Equatable {
        package init() {}
    }

    private let bytes: [UInt8]
    private var position = 0
    /// The fields of the last request, which the next one may refer to.
    private var lastHeaders = HeaderBlock()

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package var isAtEnd: Bool { position == bytes.count }

    package mutating func number() throws(Damage) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            guard position < bytes.count else { throw Damage() }
            let byte = bytes[position]
            position += 1
            if shift == 63, byte > 1 { throw Damage() }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        throw Damage()
    }

    package mutating func signed() throws(Damage) -> Int64 {
        let value = try number()
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }

    package mutating func flag() throws(Damage) -> Bool {
        switch try number() {
        case 0: false
        case 1: true
        default: throw Damage()
        }
    }

    /// A number of elements. Each takes at least one byte, so a count above the bytes left is damage.
    private mutating func count() throws(Damage) -> Int {
        let count = try number()
        guard count <= UInt64(bytes.count - position) else { throw Damage() }
        return Int(count)
    }

    package mutating func octets() throws(Damage) -> [UInt8] { Array(try octets(try number())) }

    private mutating func octets(_ count: UInt64) throws(Damage) -> ArraySlice<UInt8> {
        guard count <= UInt64(bytes.count - position) else { throw Damage() }
        defer { position += Int(count) }
        return bytes[position..<position + Int(count)]
    }

    package mutating func text() throws(Damage) -> String { String(decoding: try octets(), as: UTF8.self) }

    package mutating func optional() throws(Damage) -> String? { try flag() ? try text() : nil }

    package mutating func request() throws(Damage) -> Request {
        let versions: [HTTPVersion] = [.http10, .http11, .http2]
        let code = try number()
        guard code <= ByteWriter.requestVersions.upperBound else { throw Damage() }
        let isOverLimit = try flag()
        let isOlderFormat = code < ByteWriter.requestVersions.lowerBound
        let headers = isOlderFormat ? try fieldsInOlderFormat() : try fields()
        if !isOlderFormat { lastHeaders = headers }
        var request = Request(version: versions[Int(code % 3)], headers: headers)
        request.body = try octets()
        request.bodyIsOverLimit = isOverLimit
        return request
    }

    /// Fields in the current format: some are copied from the request before.
    private mutating func fields() throws(Damage) -> HeaderBlock {
        var headers = HeaderBlock()
        for index in 0..<(try count()) {
            let name = try number()
            if name == 0 {
                guard index < lastHeaders.count else { throw Damage() }
                let place = lastHeaders.places[index]
                headers.append(lastHeaders.storage[place.name], lastHeaders.storage[place.value])
            } else {
                let value = try number()
                headers.append(try octets(name - 1), try octets(value))
            }
        }
        return headers
    }

    /// Fields in the older format: the lengths of all fields, then their bytes in one piece.
    private mutating func fieldsInOlderFormat() throws(Damage) -> HeaderBlock {
        var sizes: [(name: UInt64, value: UInt64)] = []
        for _ in 0..<(try count()) { sizes.append((try number(), try number())) }
        var rest = ByteReader(try octets())
        var headers = HeaderBlock()
        for size in sizes { headers.append(try rest.octets(size.name), try rest.octets(size.value)) }
        guard rest.isAtEnd else { throw Damage() }
        return headers
    }

    /// A count, and then that many elements, each read by `body`.
    package mutating func list<Element>(_ body: (inout ByteReader) throws(Damage) -> Element) throws(Damage)
        -> [Element]
    {
        var elements: [Element] = []
        for _ in 0..<(try count()) { elements.append(try body(&self)) }
        return elements
    }
}

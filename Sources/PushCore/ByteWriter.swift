package import HTTPCore

/// Numbers and texts as octets, for what is kept on a disk: numbers with seven bits an octet, texts behind their length.
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

    /// Nil is told from an empty one.
    package mutating func optional(_ value: String?) {
        flag(value != nil)
        if let value { text(value) }
    }

    package mutating func request(_ request: Request) { self.request(RequestView(request), after: nil) }

    /// - Parameter last: the request that was written before it, if one was: what senders repeat is not written again.
    mutating func request(_ request: borrowing RequestView, after last: RequestView?) {
        number(Self.requestVersions.lowerBound + (request.version == .http10 ? 0 : request.version == .http11 ? 1 : 2))
        flag(request.bodyIsOverLimit)
        number(UInt64(request.places.count))
        let (lastPlaces, lastStorage) = (last?.places ?? [], last?.storage ?? [])
        let (places, octets) = (request.places.span, request.storage.span)
        let (before, octetsBefore) = (lastPlaces.span, lastStorage.span)
        for index in places.indices {
            let place = places[index]
            let field = octets.extracting(place.field)
            if index < before.count, before[index].isLike(place),
                octetsBefore.extracting(before[index].field).equals(field)
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

    /// How a request is told, with its version: before this form there was one with all fields in a piece.
    static let requestVersions: ClosedRange<UInt64> = 3...5
}

/// The parts of a request, wherever they are.
struct RequestView {
    let version: HTTPVersion
    let bodyIsOverLimit: Bool
    /// Where the fields lie in `storage`, counted from its start.
    let places: ArraySlice<HeaderBlock.Place>
    let storage: ArraySlice<UInt8>
    let body: ArraySlice<UInt8>
}

extension HeaderBlock.Place {
    /// Name and value, which lie side by side.
    fileprivate var field: Range<Int> { name.lowerBound..<value.upperBound }

    fileprivate func isLike(_ other: Self) -> Bool { quickKey == other.quickKey && name.count == other.name.count }
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
    /// It is not what was written.
    package struct Damage: Error, Equatable {
        package init() {}
    }

    private let bytes: [UInt8]
    private var position = 0
    /// Of the last request.
    private var lastHeaders = HeaderBlock()

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package var isAtEnd: Bool { position == bytes.count }

    package mutating func number() throws(Damage) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            guard position < bytes.count else { throw Damage() }
            let octet = bytes[position]
            position += 1
            if shift == 63, octet > 1 { throw Damage() }
            value |= UInt64(octet & 0x7F) << shift
            if octet < 0x80 { return value }
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

    /// A count of things that have an octet each at least.
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
        let form = try number()
        guard form <= ByteWriter.requestVersions.upperBound else { throw Damage() }
        let isOverLimit = try flag()
        let isWhole = form < ByteWriter.requestVersions.lowerBound
        let headers = isWhole ? try wholeFields() : try fields()
        if !isWhole { lastHeaders = headers }
        var request = Request(version: versions[Int(form % 3)], headers: headers)
        request.body = try octets()
        request.bodyIsOverLimit = isOverLimit
        return request
    }

    /// Some of them are those of the request before.
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

    /// The lengths of all, then all in a piece.
    private mutating func wholeFields() throws(Damage) -> HeaderBlock {
        var sizes: [(name: UInt64, value: UInt64)] = []
        for _ in 0..<(try count()) { sizes.append((try number(), try number())) }
        var rest = ByteReader(try octets())
        var headers = HeaderBlock()
        for size in sizes { headers.append(try rest.octets(size.name), try rest.octets(size.value)) }
        guard rest.isAtEnd else { throw Damage() }
        return headers
    }

    /// So many things, each read by `body`.
    package mutating func list<Element>(_ body: (inout ByteReader) throws(Damage) -> Element) throws(Damage)
        -> [Element]
    {
        var elements: [Element] = []
        for _ in 0..<(try count()) { elements.append(try body(&self)) }
        return elements
    }
}

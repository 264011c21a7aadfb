package import HTTPCore

/// Numbers and texts as octets, for what is kept on a disk: numbers with seven bits an octet, texts behind their length.
package struct ByteWriter: Sendable {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func number(_ value: UInt64) {
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

    package mutating func request(_ request: Request) {
        let versions: [HTTPVersion] = [.http10, .http11, .http2]
        number(UInt64(versions.firstIndex(of: request.version) ?? 2))
        flag(request.bodyIsOverLimit)
        number(UInt64(request.headers.count))
        for place in request.headers.places {
            number(UInt64(place.name.count))
            number(UInt64(place.value.count))
        }
        octets(request.headers.storage)
        octets(request.body)
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

    package mutating func octets() throws(Damage) -> [UInt8] {
        let count = try count()
        defer { position += count }
        return Array(bytes[position..<position + count])
    }

    package mutating func text() throws(Damage) -> String { String(decoding: try octets(), as: UTF8.self) }

    package mutating func optional() throws(Damage) -> String? { try flag() ? try text() : nil }

    package mutating func request() throws(Damage) -> Request {
        let versions: [HTTPVersion] = [.http10, .http11, .http2]
        let version = try number()
        guard version < 3 else { throw Damage() }
        let isOverLimit = try flag()
        var sizes: [(name: Int, value: Int)] = []
        for _ in 0..<(try count()) {
            let (name, value) = (try number(), try number())
            guard name < 1 << 31, value < 1 << 31 else { throw Damage() }
            sizes.append((Int(name), Int(value)))
        }
        let storage = try octets()
        var (places, start): ([HeaderBlock.Place], Int) = ([], 0)
        for size in sizes {
            let end = start + size.name + size.value
            guard end <= storage.count else { throw Damage() }
            let last = size.name > 0 ? storage[start + size.name - 1] : 0
            places.append(HeaderBlock.Place(last: last, nameStart: start, nameCount: size.name, valueCount: size.value))
            start = end
        }
        guard start == storage.count else { throw Damage() }
        var request = Request(version: versions[Int(version)], headers: HeaderBlock(storage: storage, places: places))
        request.body = try octets()
        request.bodyIsOverLimit = isOverLimit
        return request
    }

    /// So many things, each read by `body`.
    package mutating func list<Element>(_ body: (inout ByteReader) throws(Damage) -> Element) throws(Damage) -> [Element] {
        var elements: [Element] = []
        for _ in 0..<(try count()) { elements.append(try body(&self)) }
        return elements
    }
}

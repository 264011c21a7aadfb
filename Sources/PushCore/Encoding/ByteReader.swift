package import HTTPCore

/// Decodes what a `ByteWriter` encoded.
package struct ByteReader: Sendable {
    /// The bytes are not what a `ByteWriter` wrote.
    package struct Damage: Error, Equatable {
        package init() {}
    }

    private let bytes: [UInt8]
    private var position = 0
    /// The header fields of the previous request, which the next request may refer to.
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

    /// Reads a time that can be written as RFC 3339.
    package mutating func timestamp() throws(Damage) -> Timestamp {
        let milliseconds = try signed()
        guard Timestamp.representable.contains(milliseconds) else { throw Damage() }
        return Timestamp(milliseconds: milliseconds)
    }

    /// Reads a number of elements. Each takes at least one byte, so a count above the number of bytes left means
    /// damage.
    private mutating func elementCount() throws(Damage) -> Int {
        let count = try number()
        guard count <= UInt64(bytes.count - position) else { throw Damage() }
        return Int(count)
    }

    /// All bytes that were not read.
    package mutating func takeRest() -> [UInt8] {
        defer { position = bytes.count }
        return Array(bytes[position...])
    }

    package mutating func byteArray() throws(Damage) -> [UInt8] { Array(try byteArray(try number())) }

    private mutating func byteArray(_ count: UInt64) throws(Damage) -> ArraySlice<UInt8> {
        guard count <= UInt64(bytes.count - position) else { throw Damage() }
        defer { position += Int(count) }
        return bytes[position..<position + Int(count)]
    }

    package mutating func text() throws(Damage) -> String { String(decoding: try byteArray(), as: UTF8.self) }

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
        request.body = try byteArray()
        request.bodyIsOverLimit = isOverLimit
        return request
    }

    /// Reads fields in the current format. Some are copied from the previous request.
    private mutating func fields() throws(Damage) -> HeaderBlock {
        var headers = HeaderBlock()
        for index in 0..<(try elementCount()) {
            let name = try number()
            if name == 0 {
                guard index < lastHeaders.count else { throw Damage() }
                let place = lastHeaders.places[index]
                headers.append(lastHeaders.storage[place.name], lastHeaders.storage[place.value])
            } else {
                let value = try number()
                headers.append(try byteArray(name - 1), try byteArray(value))
            }
        }
        return headers
    }

    /// Reads fields in the older format: the lengths of all fields, then all of their bytes.
    private mutating func fieldsInOlderFormat() throws(Damage) -> HeaderBlock {
        var sizes: [(name: UInt64, value: UInt64)] = []
        for _ in 0..<(try elementCount()) { sizes.append((try number(), try number())) }
        var rest = ByteReader(try byteArray())
        var headers = HeaderBlock()
        for size in sizes { headers.append(try rest.byteArray(size.name), try rest.byteArray(size.value)) }
        guard rest.isAtEnd else { throw Damage() }
        return headers
    }

    /// Reads a count, and then that many elements with `body`.
    package mutating func list<Element>(_ body: (inout ByteReader) throws(Damage) -> Element) throws(Damage)
        -> [Element]
    {
        var elements: [Element] = []
        for _ in 0..<(try elementCount()) { elements.append(try body(&self)) }
        return elements
    }
}

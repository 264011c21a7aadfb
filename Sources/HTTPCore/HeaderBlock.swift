/// The header fields of one message, in order. They take two arrays, regardless of the number of fields.
///
/// Names are in lower case. A request's pseudo-fields (`:method`, `:path`, …) are its first entries in every version
/// of HTTP, so code above the codecs does not depend on the version.
package struct HeaderBlock: Sendable {
    /// Names and values, one after the other; `places` has their positions.
    package private(set) var storage: [UInt8] = []
    package private(set) var places: [Place] = []

    /// The position of one field in `storage`.
    package struct Place: Sendable, Equatable {
        /// See `HeaderName.quickKey`.
        package let quickKey: UInt32
        package let nameStart: UInt32
        package let valueStart: UInt32
        package let end: UInt32

        /// The positions are truncated to 32 bits: every codec limits a head to far less than 4 GiB.
        ///
        /// - Parameter last: the last byte of the name; 0 if the name is empty.
        package init(last: UInt8, nameStart: Int, nameCount: Int, valueCount: Int) {
            quickKey = HeaderName.quickKey(nameCount, last)
            self.nameStart = UInt32(truncatingIfNeeded: nameStart)
            valueStart = UInt32(truncatingIfNeeded: nameStart &+ nameCount)
            end = UInt32(truncatingIfNeeded: nameStart &+ nameCount &+ valueCount)
        }

        init(_ name: HeaderName, start: Int, valueCount: Int) {
            quickKey = name.quickKey
            nameStart = UInt32(truncatingIfNeeded: start)
            valueStart = UInt32(truncatingIfNeeded: start &+ name.count)
            end = UInt32(truncatingIfNeeded: start &+ name.count &+ valueCount)
        }

        package var name: Range<Int> { Int(nameStart)..<Int(valueStart) }
        package var value: Range<Int> { Int(valueStart)..<Int(end) }
    }

    package init() {}

    package init(_ fields: KeyValuePairs<HeaderName, String>) {
        for (name, value) in fields { append(name, value) }
    }

    /// A copy of `template` whose bytes `write` overwrites. Faster than appending fields, because the positions are
    /// shared with the template.
    package init(like template: HeaderBlock, writing write: (inout MutableSpan<UInt8>) -> Void) {
        self = template
        var bytes = storage.mutableSpan
        write(&bytes)
    }

    /// A block whose bytes and positions a codec has prepared.
    package init(storage: [UInt8], places: [Place]) {
        self.storage = storage
        self.places = places
    }

    package var count: Int { places.count }
    package var isEmpty: Bool { places.isEmpty }

    /// The size that HTTP/2 compares with SETTINGS_MAX_HEADER_LIST_SIZE: 32 bytes of overhead per field are included.
    package var listSize: Int { storage.count + 32 * places.count }

    package mutating func reserve(bytes: Int, fields: Int) {
        storage.reserveCapacity(bytes)
        places.reserveCapacity(fields)
    }

    /// Appends a field. `write` must append the whole name and then the whole value; anything else traps.
    package mutating func append(
        nameCount: Int, valueCount: Int, writing write: (inout OutputSpan<UInt8>) -> Void
    ) {
        let start = storage.count
        let valueStart = start + nameCount
        storage.append(addingCapacity: nameCount + valueCount, initializingWith: write)
        precondition(
            storage.count == valueStart + valueCount,
            "\(storage.count - start) bytes were written for a field of \(nameCount) + \(valueCount)")
        let last = nameCount > 0 ? storage[valueStart - 1] : 0
        places.append(Place(last: last, nameStart: start, nameCount: nameCount, valueCount: valueCount))
    }

    /// Appends a field; `write` appends the value.
    package mutating func append(
        _ name: HeaderName, valueCount: Int, writing write: (inout OutputSpan<UInt8>) -> Void
    ) {
        append(nameCount: name.count, valueCount: valueCount) { output in
            name.append(to: &output)
            write(&output)
        }
    }

    package mutating func append(_ name: HeaderName, _ value: String) {
        append(name, valueCount: value.utf8.count) { output in
            for byte in value.utf8 { output.append(byte) }
        }
    }

    package mutating func append(_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) {
        append(nameCount: name.count, valueCount: value.count) { output in
            output.append(name.span)
            output.append(value.span)
        }
    }

    package mutating func append(_ name: HeaderName, _ value: ArraySlice<UInt8>) {
        let start = storage.count
        storage.append(addingCapacity: name.count + value.count) { name.append(to: &$0) }
        // Copies memory, which is faster than a loop over bytes.
        storage.append(contentsOf: value)
        places.append(Place(name, start: start, valueCount: value.count))
    }

    /// The value of the first field named `name`.
    package func first(_ name: HeaderName) -> ArraySlice<UInt8>? { range(of: name).map { storage[$0] } }

    /// The range in `storage` of the value of the first field named `name`.
    package func range(of name: HeaderName) -> Range<Int>? {
        let places = places.span
        let quickKey = name.quickKey
        var index = 0
        while index < places.count {
            if places[index].quickKey == quickKey, isNamed(places[index], name) { return places[index].value }
            index &+= 1
        }
        return nil
    }

    /// The number of fields named `name`.
    package func count(of name: HeaderName) -> Int {
        places.count { $0.quickKey == name.quickKey && isNamed($0, name) }
    }

    /// Compares the whole name. Call it only for a field with the name's `quickKey`.
    package func isNamed(_ place: Place, _ name: HeaderName) -> Bool {
        name.matches(storage.span.extracting(place.name))
    }
}

extension HeaderBlock: Equatable {
    package static func == (one: HeaderBlock, other: HeaderBlock) -> Bool {
        one.storage.span.equals(other.storage.span) && one.places == other.places
    }
}

extension HeaderBlock: Sequence {
    package typealias Field = (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)

    package func makeIterator() -> Fields { Fields(block: self) }

    package struct Fields: IteratorProtocol {
        fileprivate let block: HeaderBlock
        private var index = 0

        fileprivate init(block: HeaderBlock) { self.block = block }

        package mutating func next() -> Field? {
            guard index < block.places.count else { return nil }
            let place = block.places[index]
            index += 1
            return (block.storage[place.name], block.storage[place.value])
        }
    }
}

extension OutputSpan<UInt8> {
    package mutating func append(_ bytes: Span<UInt8>) {
        var index = 0
        let end = bytes.count
        while index < end {
            append(bytes[index])
            index &+= 1
        }
    }
}

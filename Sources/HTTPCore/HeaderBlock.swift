/// The fields of one message in the order they came, in two arrays however many there are.
///
/// Names are lower case. A request's pseudo-fields (`:method`, `:path`, …) are its first entries, whatever
/// version of HTTP it came by, so that everything behind the codecs reads one shape.
package struct HeaderBlock: Sendable {
    /// Names and values back to back; entries say where each starts.
    package private(set) var storage: [UInt8] = []
    private var entries: [Entry] = []

    private struct Entry {
        let nameStart: UInt32
        let valueStart: UInt32
        let end: UInt32
    }

    package init() {}

    package init(_ fields: KeyValuePairs<HeaderName, String>) {
        for (name, value) in fields { append(name, value) }
    }

    package var count: Int { entries.count }
    package var isEmpty: Bool { entries.isEmpty }

    /// The size HTTP/2 counts against SETTINGS_MAX_HEADER_LIST_SIZE: 32 octets of overhead a field.
    package var listSize: Int { storage.count + 32 * entries.count }

    package func nameRange(at index: Int) -> Range<Int> {
        Int(entries[index].nameStart)..<Int(entries[index].valueStart)
    }

    package func valueRange(at index: Int) -> Range<Int> {
        Int(entries[index].valueStart)..<Int(entries[index].end)
    }

    package func name(at index: Int) -> ArraySlice<UInt8> { storage[nameRange(at: index)] }
    package func value(at index: Int) -> ArraySlice<UInt8> { storage[valueRange(at: index)] }

    package mutating func reserve(bytes: Int, fields: Int) {
        storage.reserveCapacity(bytes)
        entries.reserveCapacity(fields)
    }

    package mutating func removeAll() {
        storage.removeAll(keepingCapacity: true)
        entries.removeAll(keepingCapacity: true)
    }

    /// Appends a field whose bytes `write` puts at the end of the storage: `nameCount` of name, then the value.
    package mutating func append(nameCount: Int, writing write: (inout [UInt8]) -> Void) {
        let start = storage.count
        write(&storage)
        precondition(storage.count >= start + nameCount, "a field of \(storage.count - start) bytes is short")
        entries.append(
            Entry(
                nameStart: UInt32(start), valueStart: UInt32(start + nameCount), end: UInt32(storage.count)))
    }

    package mutating func append(_ name: HeaderName, _ value: String) {
        append(nameCount: name.bytes.count) { storage in
            storage.append(contentsOf: name.bytes)
            storage.append(contentsOf: value.utf8)
        }
    }

    package mutating func append(_ name: HeaderName, _ value: ArraySlice<UInt8>) {
        append(nameCount: name.bytes.count) { storage in
            storage.append(contentsOf: name.bytes)
            storage.append(contentsOf: value)
        }
    }

    /// The first value of that name.
    package func first(_ name: HeaderName) -> ArraySlice<UInt8>? {
        for index in entries.indices where matches(index, name) { return value(at: index) }
        return nil
    }

    /// How many fields have that name.
    package func count(of name: HeaderName) -> Int {
        var found = 0
        for index in entries.indices where matches(index, name) { found += 1 }
        return found
    }

    private func matches(_ index: Int, _ name: HeaderName) -> Bool {
        let range = nameRange(at: index)
        guard range.count == name.bytes.count else { return false }
        for offset in 0..<range.count where storage[range.lowerBound + offset] != name.bytes[offset] {
            return false
        }
        return true
    }
}

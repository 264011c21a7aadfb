/// Appends JSON to an array of bytes.
///
/// A value in the wrong place (a value without a key in an object, an extra end) is a bug in the caller and traps.
package struct JSONWriter: ~Copyable, Sendable {
    package enum Style: Sendable {
        /// No white space.
        case compact
        /// Google's layout: one member per line, indented by two spaces per level, `"key": value`, and `{}` and `[]`
        /// for empty containers.
        case pretty
    }

    private enum State {
        case empty
        case afterOpening
        case afterKey
        case afterValue
    }

    /// The bytes given to `init`, followed by the JSON so far.
    package internal(set) var bytes: [UInt8]
    private let style: Style
    /// Also escape `<`, `>` and `&`, as Google does.
    let escapesMarkup: Bool
    private var state = State.empty
    private var nesting = Nesting()

    /// The open containers as a stack of bits, where 1 means an object. The innermost 64 are in `kinds`; `outer` holds
    /// the rest, 64 at a time.
    private struct Nesting {
        private(set) var count = 0
        private var kinds: UInt64 = 0
        private var outer: [UInt64] = []

        var isInObject: Bool { count > 0 && kinds & 1 == 1 }

        mutating func open(isObject: Bool) {
            if count & 63 == 0, count > 0 { outer.append(kinds) }
            kinds = kinds << 1 | (isObject ? 1 : 0)
            count &+= 1
        }

        mutating func close() {
            kinds >>= 1
            count &-= 1
            if count & 63 == 0, let word = outer.popLast() { kinds = word }
        }
    }

    package init(_ style: Style = .compact, appendingTo bytes: consuming [UInt8] = [], escapesMarkup: Bool = false) {
        self.bytes = bytes
        self.style = style
        self.escapesMarkup = escapesMarkup
    }

    /// Returns the bytes. Traps if a container is still open.
    package consuming func finish() -> [UInt8] {
        precondition(
            nesting.count == 0 && state == .afterValue, "\(nesting.count) containers are still open, state \(state)")
        return bytes
    }

    package mutating func beginObject() { begin(UInt8(ascii: "{"), isObject: true) }
    package mutating func endObject() { end(UInt8(ascii: "}"), isObject: true) }
    package mutating func beginArray() { begin(UInt8(ascii: "["), isObject: false) }
    package mutating func endArray() { end(UInt8(ascii: "]"), isObject: false) }

    /// Writes an object with the members that `body` writes.
    package mutating func object<Failure: Error>(
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        beginObject()
        try body(&self)
        endObject()
    }

    /// Writes an array of the values that `body` writes.
    package mutating func array<Failure: Error>(
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        beginArray()
        try body(&self)
        endArray()
    }

    /// Writes the key of the member whose value is written next.
    package mutating func key(_ key: String) {
        precondition(isInObject && state != .afterKey, "the key \(key) is out of place")
        separate()
        appendString(key, then: UInt8(ascii: ":"))
        if style == .pretty { bytes.append(UInt8(ascii: " ")) }
        state = .afterKey
    }

    package mutating func member(_ key: String, _ value: some JSONWritable) {
        self.key(key)
        value.write(to: &self)
    }

    // Overloads for the usual types: a generic function called across modules costs more than the write itself.
    package mutating func member(_ key: String, _ value: String) {
        self.key(key)
        string(value)
    }

    package mutating func member(_ key: String, _ value: Int) {
        self.key(key)
        integer(value)
    }

    package mutating func member(_ key: String, _ value: UInt64) {
        self.key(key)
        integer(value)
    }

    package mutating func member(_ key: String, _ value: Int64) {
        self.key(key)
        integer(value)
    }

    package mutating func member(_ key: String, _ value: Bool) {
        self.key(key)
        bool(value)
    }

    package mutating func member(_ key: String, plain count: Int, _ write: (inout OutputSpan<UInt8>) -> Void) {
        self.key(key)
        plain(count, write)
    }

    package mutating func object(_ body: (inout JSONWriter) -> Void) {
        beginObject()
        body(&self)
        endObject()
    }

    package mutating func array(_ body: (inout JSONWriter) -> Void) {
        beginArray()
        body(&self)
        endArray()
    }

    package mutating func raw(_ value: [UInt8]) {
        beginValue()
        bytes.append(contentsOf: value)
    }

    package mutating func value(_ value: some JSONWritable) { value.write(to: &self) }

    /// Writes a value that is already JSON. It is neither checked nor indented.
    package mutating func raw(_ value: some Collection<UInt8>) {
        beginValue()
        bytes.append(contentsOf: value)
    }

    /// Writes the comma or line break that precedes a value. The caller must append the value next.
    mutating func beginValue() {
        switch state {
        case .empty: break
        case .afterKey: break
        case .afterOpening, .afterValue:
            precondition(nesting.count > 0 && !isInObject, "a value without a key at byte \(bytes.count)")
            separate()
        }
        state = .afterValue
    }

    private var isInObject: Bool { nesting.isInObject }

    private mutating func begin(_ opening: UInt8, isObject: Bool) {
        beginValue()
        bytes.append(opening)
        nesting.open(isObject: isObject)
        state = .afterOpening
    }

    private mutating func end(_ closing: UInt8, isObject: Bool) {
        precondition(
            nesting.count > 0 && isInObject == isObject && state != .afterKey,
            "the end of a container is out of place at byte \(bytes.count)")
        nesting.close()
        if state != .afterOpening { breakLine() }
        bytes.append(closing)
        state = .afterValue
    }

    private mutating func separate() {
        if state == .afterValue { bytes.append(UInt8(ascii: ",")) }
        breakLine()
    }

    private mutating func breakLine() {
        guard style == .pretty else { return }
        bytes.append(UInt8(ascii: "\n"))
        for _ in 0..<2 * nesting.count { bytes.append(UInt8(ascii: " ")) }
    }
}

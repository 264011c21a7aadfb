/// Appends JSON to an array of bytes.
///
/// Values in a wrong place (two without a key in an object, an end too many) are bugs of ours and trap.
package struct JSONWriter: Sendable {
    package enum Style: Sendable {
        /// No white space.
        case compact
        /// Google's: a member a line, two spaces a level, `"key": value`, `{}` and `[]` where empty.
        case pretty
    }

    private enum State {
        case empty
        case afterOpening
        case afterKey
        case afterValue
    }

    /// What was there before, and the JSON so far.
    package internal(set) var bytes: [UInt8]
    private let style: Style
    private var state = State.empty
    private var depth = 0
    /// Which of the innermost 64 containers are objects, the innermost in the lowest bit; for checks only.
    private var objects: UInt64 = 0

    package init(_ style: Style = .compact, appendingTo bytes: consuming [UInt8] = []) {
        self.bytes = bytes
        self.style = style
    }

    /// The bytes, once every container is closed.
    package consuming func finish() -> [UInt8] {
        precondition(depth == 0 && state == .afterValue, "\(depth) containers are open, after \(state)")
        return bytes
    }

    package mutating func beginObject() { begin(UInt8(ascii: "{"), isObject: true) }
    package mutating func endObject() { end(UInt8(ascii: "}"), isObject: true) }
    package mutating func beginArray() { begin(UInt8(ascii: "["), isObject: false) }
    package mutating func endArray() { end(UInt8(ascii: "]"), isObject: false) }

    /// An object with the members that `body` writes.
    package mutating func object<Failure: Error>(
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        beginObject()
        try body(&self)
        endObject()
    }

    /// An array of the values that `body` writes.
    package mutating func array<Failure: Error>(
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        beginArray()
        try body(&self)
        endArray()
    }

    /// The key of the member whose value is written next.
    package mutating func key(_ key: String) {
        precondition(depth > 0 && state != .afterKey && isInObject, "the key \(key) is out of place")
        separate()
        appendString(key)
        bytes.append(UInt8(ascii: ":"))
        if style == .pretty { bytes.append(UInt8(ascii: " ")) }
        state = .afterKey
    }

    package mutating func member(_ key: String, _ value: some JSONWritable) {
        self.key(key)
        value.write(to: &self)
    }

    package mutating func value(_ value: some JSONWritable) { value.write(to: &self) }

    /// A value that is JSON already; it is neither checked nor indented.
    package mutating func raw(_ value: some Collection<UInt8>) {
        beginValue()
        bytes.append(contentsOf: value)
    }

    /// Writes what has to come before a value, which the caller appends right after.
    mutating func beginValue() {
        precondition(
            state == .afterKey || (depth == 0 ? state == .empty : !isInObject),
            "a value after \(state) at depth \(depth)")
        if state != .afterKey { separate() }
        state = .afterValue
    }

    private var isInObject: Bool { depth > 64 ? state != .afterKey && objects & 1 == 1 : objects & 1 == 1 }

    private mutating func begin(_ opening: UInt8, isObject: Bool) {
        beginValue()
        bytes.append(opening)
        depth += 1
        objects = objects << 1 | (isObject ? 1 : 0)
        state = .afterOpening
    }

    private mutating func end(_ closing: UInt8, isObject: Bool) {
        precondition(depth > 0 && state != .afterKey && isInObject == isObject, "an end after \(state)")
        depth -= 1
        objects >>= 1
        if state != .afterOpening { breakLine() }
        bytes.append(closing)
        state = .afterValue
    }

    private mutating func separate() {
        if state == .afterValue { bytes.append(UInt8(ascii: ",")) }
        if depth > 0 { breakLine() }
    }

    private mutating func breakLine() {
        guard style == .pretty else { return }
        bytes.append(UInt8(ascii: "\n"))
        for _ in 0..<depth { bytes.append(contentsOf: [UInt8(ascii: " "), UInt8(ascii: " ")]) }
    }
}

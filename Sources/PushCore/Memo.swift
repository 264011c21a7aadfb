internal import HTTPCore

/// The value of the last key. A sender that repeats itself does not pay for the same work twice.
///
/// docs/notes/repeated-pushes.md has the rules for what may be remembered, and what each memo saves.
package struct Memo<Key, Value> {
    @usableFromInline var key: Key
    /// The value of the last key. Ask `has` whether that is the wanted key.
    @usableFromInline package internal(set) var value: Value

    /// Remembers a first value. It is not optional, because optional values are slower to use.
    @inlinable package init(_ value: consuming Value, for key: consuming Key) {
        self.key = key
        self.value = value
    }

    @inlinable package mutating func remember(_ value: consuming Value, for key: consuming Key) {
        self.key = key
        self.value = value
    }
}

extension Memo where Key: Equatable {
    @inlinable package func has(_ key: Key) -> Bool { key == self.key }
}

/// Keys that are bytes are compared with the bytes of a request where they lie.
extension Memo where Key == [UInt8] {
    @inlinable package func has(_ key: Span<UInt8>) -> Bool { key.equals(self.key) }

    @inlinable package mutating func remember(_ value: consuming Value, for key: Span<UInt8>) {
        self.key = []
        self.key.append(addingCapacity: key.count) { $0.append(key) }
        self.value = value
    }
}

extension Memo: Sendable where Key: Sendable, Value: Sendable {}

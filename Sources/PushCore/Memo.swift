internal import HTTPCore

/// Remembers the value for the last key, so that the work is not done again when a sender repeats itself.
///
/// docs/notes/repeated-pushes.md has the rules for what may be remembered, and what each memo saves.
package struct Memo<Key, Value> {
    @usableFromInline var key: Key
    /// The value of the last key. Ask `has` whether that is the wanted key.
    @usableFromInline package internal(set) var value: Value

    /// Remembers a first value. There always is one, because an optional value would be slower to use.
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

/// Compares a key of bytes with part of a request, without copying that part.
extension Memo where Key == [UInt8] {
    @inlinable package func has(_ key: Span<UInt8>) -> Bool { key.equals(self.key) }

    @inlinable package mutating func remember(_ value: consuming Value, for key: Span<UInt8>) {
        self.key = []
        self.key.append(addingCapacity: key.count) { $0.append(key) }
        self.value = value
    }
}

extension Memo: Sendable where Key: Sendable, Value: Sendable {}

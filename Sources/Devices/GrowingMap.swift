internal import PushCore

/// A dictionary that grows in small steps: it has 64 parts, and only one of them is rebuilt at a time. Rebuilding one
/// dictionary of all tokens of 100,000 devices takes 50 ms, and nothing else runs meanwhile.
struct GrowingMap<Key: GrowingMapKey, Value: Sendable>: Sendable {
    private(set) var parts: [[Key: Value]] = Array(repeating: [:], count: Self.count)
    private static var count: Int { 64 }

    private(set) var total = 0

    subscript(key: Key) -> Value? {
        get { parts[key.spread & (Self.count - 1)][key] }
        set {
            let index = key.spread & (Self.count - 1)
            total -= parts[index].count
            parts[index][key] = newValue
            total += parts[index].count
            // A dictionary does not give its memory back by itself.
            if newValue == nil, parts[index].isEmpty { parts[index] = [:] }
        }
    }

    mutating func removeValue(forKey key: Key) -> Value? {
        defer { self[key] = nil }
        return self[key]
    }
}

protocol GrowingMapKey: Hashable, Sendable {
    /// A number that differs between most keys. It takes much less time than a hash.
    var spread: Int { get }
}

extension DeviceToken: GrowingMapKey {}

extension String: GrowingMapKey {
    /// From the last two bytes. The first ones are often the same.
    var spread: Int { utf8.suffix(2).reduce(0) { 31 &* $0 &+ Int($1) } }
}

extension DeviceID: GrowingMapKey {
    var spread: Int { description.spread }
}

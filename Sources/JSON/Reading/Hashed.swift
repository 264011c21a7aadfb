// Values that store their hash, so that it is computed only once. The hashes of different values nearly always differ,
// so a comparison rarely has to look at the values. These types are not generic, because generic code for another
// target's types is slow.

package struct HashedBytes: Hashable, Sendable {
    package let bytes: [UInt8]
    package let digest: Int

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        digest = bytes.hashValue
    }

    package static func == (one: HashedBytes, other: HashedBytes) -> Bool {
        one.digest == other.digest && one.bytes == other.bytes
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}

package struct HashedJSON: Equatable, Sendable {
    package let value: JSONValue
    private let digest: Int

    package init(_ value: JSONValue) {
        self.value = value
        digest = value.hashValue
    }

    package static func == (one: HashedJSON, other: HashedJSON) -> Bool {
        one.digest == other.digest && one.value == other.value
    }
}

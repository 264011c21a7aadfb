/// An APNs device token's bytes, hashed by words of eight: byte by byte costs a lookup several times as much.
package struct DeviceToken: Sendable, Hashable {
    package let bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package func hash(into hasher: inout Hasher) {
        var word: UInt64 = 0
        for (index, byte) in bytes.enumerated() {
            word = word << 8 | UInt64(byte)
            if index & 7 == 7 { hasher.combine(word) }
        }
        if bytes.count & 7 != 0 { hasher.combine(word) }
        hasher.combine(bytes.count)
    }
}

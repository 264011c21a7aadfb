/// Finds out quickly whether a block can have a field with one of a few names. Nearly all blocks have none of them.
///
/// For each name it looks at the length, the first byte and the last byte, but it keeps only the bits that are the same
/// in all names.
/// So it may say yes about a block that has none of the names, but never no about a block that has one.
package struct HeaderNameSieve: Sendable {
    private let keyMask: UInt32
    private let key: UInt32
    private let firstMask: UInt8
    private let first: UInt8

    /// - Parameter names: at least one name.
    package init(_ names: [HeaderName]) {
        let keys = names.map(\.quickKey)
        let firsts = names.map { $0.bytes.first ?? 0 }
        let keyMask = keys.reduce(UInt32.max) { $0 & ~($1 ^ keys[0]) }
        let firstMask = firsts.reduce(UInt8.max) { $0 & ~($1 ^ firsts[0]) }
        self.keyMask = keyMask
        self.firstMask = firstMask
        key = keys[0] & keyMask
        first = firsts[0] & firstMask
    }

    package func mayFind(in block: HeaderBlock) -> Bool {
        let places = block.places.span
        var index = 0
        while index < places.count {
            if places[index].quickKey & keyMask == key, startsAlike(places[index], block) { return true }
            index &+= 1
        }
        return false
    }

    private func startsAlike(_ place: HeaderBlock.Place, _ block: HeaderBlock) -> Bool {
        block.storage[Int(place.nameStart)] & firstMask == first
    }
}

/// The notifications of a device, oldest first. If there are too many, the oldest are removed.
package struct Shade: Sendable {
    private var list: [ShadeEntry] = []
    /// The number of entries at the start of the list that count as removed. They are deleted in batches.
    private var removedCount = 0
    /// The keys that a sender chose. Only these can repeat, so most additions need no search.
    private var senderKeys: Set<String> = []
    /// The memory of all entries in bytes.
    private(set) var size = 0

    package static let capacity = 1000

    package var entries: ArraySlice<ShadeEntry> { list[removedCount...] }
    package var count: Int { list.count - removedCount }

    package subscript(key: String) -> ShadeEntry? { entries.last { $0.key == key } }

    var hasSenderKeys: Bool { !senderKeys.isEmpty }

    func isSenderKey(_ key: String) -> Bool { senderKeys.contains(key) }

    /// Returns the entry that it replaces, if any.
    mutating func add(_ entry: ShadeEntry) -> ShadeEntry? {
        var old: ShadeEntry?
        // A sender may also choose a key that was generated here for another notification.
        if let key = entry.shown.overrides?.key,
            !senderKeys.insert(key).inserted || ShownNotification.looksGenerated(key)
        {
            old = removeEntry(key)
        }
        list.append(entry)
        size += entry.size
        if count > Self.capacity { removeOldest() }
        return old
    }

    mutating func remove(_ key: String) -> ShadeEntry? {
        let entry = removeEntry(key)
        if entry?.shown.overrides?.key != nil { senderKeys.remove(key) }
        return entry
    }

    mutating func removeOldest() {
        guard count > 0 else { return }
        if let key = list[removedCount].shown.overrides?.key { senderKeys.remove(key) }
        size -= list[removedCount].size
        removedCount += 1
        guard removedCount > Self.capacity else { return }
        list.removeFirst(removedCount)
        removedCount = 0
    }

    private mutating func removeEntry(_ key: String) -> ShadeEntry? {
        guard let index = list[removedCount...].lastIndex(where: { $0.key == key }) else { return nil }
        size -= list[index].size
        return list.remove(at: index)
    }
}

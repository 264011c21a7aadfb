/// Notifications of a device, the newest last; its oldest go where there are too many.
package struct Shade: Sendable {
    private var list: [ShadeEntry] = []
    /// What is at the list's beginning and gone: taken away from time to time.
    private var gone = 0
    /// Keys that a sender chose, so that another may come with one: most have none, and nothing is looked for.
    private var chosen: Set<String> = []
    private(set) var size = 0

    package static let capacity = 1000

    package var entries: ArraySlice<ShadeEntry> { list[gone...] }
    package var count: Int { list.count - gone }

    package subscript(key: String) -> ShadeEntry? { entries.last { $0.key == key } }

    var hasChosenKeys: Bool { !chosen.isEmpty }

    func isChosen(_ key: String) -> Bool { chosen.contains(key) }

    /// Returns the one whose place it takes.
    mutating func add(_ entry: ShadeEntry) -> ShadeEntry? {
        var old: ShadeEntry?
        // Somebody may choose a key that was made here.
        if let key = entry.shown.overrides?.key, !chosen.insert(key).inserted || Shown.isMade(key) { old = take(key) }
        list.append(entry)
        size += entry.size
        if count > Self.capacity { removeOldest() }
        return old
    }

    mutating func remove(_ key: String) -> ShadeEntry? {
        let entry = take(key)
        if entry?.shown.overrides?.key != nil { chosen.remove(key) }
        return entry
    }

    mutating func removeOldest() {
        guard count > 0 else { return }
        if let key = list[gone].shown.overrides?.key { chosen.remove(key) }
        size -= list[gone].size
        gone += 1
        guard gone > Self.capacity else { return }
        list.removeFirst(gone)
        gone = 0
    }

    private mutating func take(_ key: String) -> ShadeEntry? {
        guard let index = list[gone...].lastIndex(where: { $0.key == key }) else { return nil }
        size -= list[index].size
        return list.remove(at: index)
    }
}

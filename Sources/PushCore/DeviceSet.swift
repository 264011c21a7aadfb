/// A set of devices, by their index in the registry. It lists either its members or its non-members.
///
/// The subscribers of a topic are such a set, and so is the result of a condition over topics. `!` in a condition gives
/// the second kind.
package struct DeviceSet: Sendable, Equatable {
    /// In ascending order, without duplicates.
    private var listed: [Int32] = []
    /// The members are all devices that are not listed.
    private var isInverted = false

    package init() {}

    package init(_ slots: some Sequence<Int>) { listed = slots.map(Int32.init).sorted() }

    /// How many devices it lists.
    package var count: Int { listed.count }
    package var isEmpty: Bool { listed.isEmpty && !isInverted }

    package func contains(_ slot: Int) -> Bool {
        let index = index(of: Int32(slot))
        return (index < listed.count && listed[index] == Int32(slot)) != isInverted
    }

    /// Only for a set that lists its members.
    package mutating func insert(_ slot: Int) {
        let index = index(of: Int32(slot))
        if index == listed.count || listed[index] != Int32(slot) { listed.insert(Int32(slot), at: index) }
    }

    package mutating func remove(_ slot: Int) {
        let index = index(of: Int32(slot))
        if index < listed.count, listed[index] == Int32(slot) { listed.remove(at: index) }
    }

    /// The complement.
    package var inverted: DeviceSet {
        var other = self
        other.isInverted.toggle()
        return other
    }

    package func union(_ other: DeviceSet) -> DeviceSet {
        switch (isInverted, other.isInverted) {
        case (false, false): Self.merge(self, other) { $0 || $1 }
        case (true, true): Self.merge(self, other) { $0 && $1 }.inverted
        case (false, true): Self.merge(self, other) { !$0 && $1 }.inverted
        case (true, false): Self.merge(self, other) { $0 && !$1 }.inverted
        }
    }

    package func intersection(_ other: DeviceSet) -> DeviceSet { inverted.union(other.inverted).inverted }

    /// The members. For a complement, these are the members of `everybody` that it does not list.
    package func slots(of everybody: () -> DeviceSet) -> [Int32] {
        isInverted ? Self.merge(self, everybody()) { !$0 && $1 }.listed : listed
    }

    /// Merges both sorted lists in one pass.
    private static func merge(_ one: DeviceSet, _ other: DeviceSet, keeping isKept: (Bool, Bool) -> Bool) -> DeviceSet {
        var (merged, left, right) = (DeviceSet(), one.listed[...], other.listed[...])
        // If one list is empty, and the devices in the other belong to the result, the other list is the result. This
        // is common: `TopicIndex` unites a topic's subscribers in a project with its subscribers without one, and often
        // one of the two lists is empty.
        if left.isEmpty || right.isEmpty, isKept(!left.isEmpty, !right.isEmpty) {
            merged.listed = left.isEmpty ? other.listed : one.listed
            return merged
        }
        while !left.isEmpty || !right.isEmpty {
            let slot = min(left.first ?? .max, right.first ?? .max)
            let (isLeft, isRight) = (left.first == slot, right.first == slot)
            if isKept(isLeft, isRight) { merged.listed.append(slot) }
            if isLeft { left = left.dropFirst() }
            if isRight { right = right.dropFirst() }
        }
        return merged
    }

    /// The position of an entry in the list, or where it would be inserted.
    private func index(of slot: Int32) -> Int {
        var (low, high) = (0, listed.count)
        while low < high {
            let middle = (low + high) / 2
            if listed[middle] < slot { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

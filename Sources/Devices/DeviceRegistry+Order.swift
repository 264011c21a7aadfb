/// The devices in the order of their age. A list can be read in portions. The place at which to continue is a device's
/// `generation`, so it stays valid while devices are made and removed.
extension DeviceRegistry {
    /// The slot of the oldest device with at least this generation; nil after the newest.
    package func oldest(from generation: Int) -> Int? {
        var (low, high) = (0, order.count)
        while low < high {
            let middle = (low + high) / 2
            if order[middle].generation < generation { low = middle + 1 } else { high = middle }
        }
        while low < order.count {
            if let slot = slot(of: order[low]) { return slot }
            low += 1
        }
        return nil
    }

    /// The slots of all devices, oldest device first.
    package var oldestFirst: [Int] {
        // This does not use closures over the non-copyable registry, because the optimizer of Swift 6.3 released an
        // array twice in such a closure.
        var taken: [Int] = []
        for device in order { if let slot = slot(of: device) { taken.append(slot) } }
        return taken
    }

    /// Adds the device at this slot, which must be the newest one.
    mutating func appendToOrder(_ slot: Int) {
        // Entries of removed devices are dropped when they may be more than half of the list.
        if order.count > 2 * count + 1000 { dropRemovedFromOrder() }
        order.append(reference(to: slot))
    }

    mutating func dropRemovedFromOrder() {
        var alive: [DeviceRef] = []
        for device in order where slot(of: device) != nil { alive.append(device) }
        order = alive
    }
}

internal import PushCore

/// A reference to a device that can be kept while other devices are created and removed: its slot and its generation.
/// Once the device is removed, the reference resolves to nil, even if another device has taken the slot.
package struct DeviceRef: Hashable, Sendable {
    let slot: Int
    /// `Device.generation` of the device.
    package let generation: Int
}

extension DeviceRegistry {
    package func reference(to slot: Int) -> DeviceRef {
        DeviceRef(slot: slot, generation: devices[slot].generation)
    }

    /// The slot of a device; nil if it was removed.
    package func slot(of device: DeviceRef) -> Int? {
        devices.indices.contains(device.slot) && devices[device.slot].generation == device.generation
            ? device.slot : nil
    }

    /// Whether there is a device at this slot that already existed when `generation` devices had been created.
    package func existed(_ slot: Int, atGeneration generation: Int) -> Bool {
        devices.indices.contains(slot) && devices[slot].generation <= generation
    }

    /// Removes unused slots at the end, but at most `count` of them in one call. Does nothing unless there are many
    /// slots and only a few devices. Returns false if there is nothing more to do.
    package mutating func trim(atMost count: Int) -> Bool {
        guard self.count <= Self.few / 2, devices.capacity > 2 * Self.few else { return false }
        var end = devices.count
        let stop = max(Self.few, end &- count)
        while end > stop, devices[end - 1].generation == Device.vacant.generation { end -= 1 }
        if end < devices.count {
            devices.removeSubrange(end...)
            deliversAtOnce.removeSubrange(end...)
            freeSlots.removeAll(from: end)
            return true
        }
        guard end <= Self.few else { return false }
        // An array does not shrink its memory, so the devices move to a new array.
        var smaller: [Device] = []
        smaller.reserveCapacity(end)
        for device in devices { smaller.append(device) }
        devices = smaller
        dropRemovedImplicitDevices()
        dropRemovedFromOrder()
        return false
    }
}

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
    package func existed(_ slot: Int, before generation: Int) -> Bool {
        devices.indices.contains(slot) && devices[slot].generation <= generation
    }
}

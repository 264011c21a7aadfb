/// Names one device for longer than a turn: its place, and which of the devices at that place is meant. After the device
/// was removed the reference finds nothing, even if another device has the place by then.
package struct DeviceRef: Hashable, Sendable {
    let place: Int
    /// How many devices had been created when this one was; no other device has the same number.
    package let generation: Int
}

extension DeviceRegistry {
    package func reference(to place: Int) -> DeviceRef {
        DeviceRef(place: place, generation: devices[place].generation)
    }

    /// The place of a device; nil if it was removed.
    package func place(of device: DeviceRef) -> Int? {
        devices[device.place].generation == device.generation ? device.place : nil
    }

    /// Whether the device at this place already existed when `generation` devices had been created.
    package func existed(_ place: Int, before generation: Int) -> Bool { devices[place].generation <= generation }
}

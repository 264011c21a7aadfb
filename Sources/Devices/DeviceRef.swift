/// A reference to a device that can be kept after the current turn: its place and its generation. Once the device is
/// removed, the reference resolves to nil, even if another device has taken the place.
package struct DeviceRef: Hashable, Sendable {
    let place: Int
    /// `Device.generation` of the device.
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

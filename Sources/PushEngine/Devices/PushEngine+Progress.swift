internal import Devices
package import PushCore

/// Whether more is going to happen to a push.
extension PushEngine {
    /// How many deliveries of the push still wait for their turn.
    package func deliveriesLeft(of push: PushID) -> Int {
        pendingWork.fanOuts.reduce(0) { $1.id == push ? $0 &+ $1.slots.count : $0 }
    }

    /// Whether the device has begun to show the push: its extension is running, or it is loading an image.
    package func isWorking(on push: PushID, _ device: DeviceID) -> Bool {
        guard let slot = devices.slot(of: device) else { return false }
        return devices.isWorking(on: push, at: slot)
    }
}

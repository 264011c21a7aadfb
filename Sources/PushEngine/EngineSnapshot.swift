/// The state of an engine as it was last written to a disk.
package struct EngineSnapshot {
    /// Events in the form of `Event+Bytes`, oldest first.
    package var events: [[UInt8]] = []
    /// One device each, in the form of `DeviceRegistry+Persistence`.
    package var devices: [[UInt8]] = []
    package var tracking: [(key: String, bytes: [UInt8])] = []
    package var counters: [String: Int64] = [:]

    package init() {}

    /// What keeps a snapshot from being restored.
    package struct Damage: Error {
        package let reason: String
    }
}

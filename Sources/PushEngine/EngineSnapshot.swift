/// The state of an engine that was last saved to a disk.
package struct EngineSnapshot {
    /// Encoded events (`Event+Bytes`), oldest first.
    package var events: [[UInt8]] = []
    /// The same for the events about refused pushes. Older versions saved them in `events`.
    package var refused: [[UInt8]] = []
    /// Encoded devices (`DeviceRegistry+Persistence`).
    package var devices: [[UInt8]] = []
    package var tracking: [(key: String, bytes: [UInt8])] = []
    /// Encoded records of all kinds (`RecordKind`).
    package var records: [(kind: String, key: String, bytes: [UInt8])] = []
    package var counters: [String: Int64] = [:]

    package init() {}

    /// Why a snapshot cannot be restored.
    package struct Damage: Error {
        package let reason: String
    }
}

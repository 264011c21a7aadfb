package import PushCore
internal import PushEngine

/// Identifies a connection for code that must not keep a reference to it, because the connection may end in the
/// meantime. The engine identifies clients by it.
package typealias ConnectionID = ClientID

/// The open connections. Only the loop's thread uses it.
struct ConnectionTable {
    private var slots: [(generation: UInt32, connection: Connection?)] = []
    private var free: [UInt32] = []
    private(set) var count = 0

    mutating func reserve() -> ConnectionID {
        if let slot = free.popLast() {
            slots[Int(slot)].generation &+= 1
            return ConnectionID(slot: slot, generation: slots[Int(slot)].generation)
        }
        slots.append((0, nil))
        return ConnectionID(slot: UInt32(slots.count - 1), generation: 0)
    }

    mutating func insert(_ connection: Connection) {
        slots[Int(connection.id.slot)].connection = connection
        count += 1
    }

    mutating func remove(_ id: ConnectionID) {
        guard self[id] != nil else { return }
        slots[Int(id.slot)].connection = nil
        free.append(id.slot)
        count -= 1
    }

    subscript(id: ConnectionID) -> Connection? {
        guard slots.indices.contains(Int(id.slot)), slots[Int(id.slot)].generation == id.generation else {
            return nil
        }
        return slots[Int(id.slot)].connection
    }

    var all: [Connection] { slots.compactMap(\.connection) }
}

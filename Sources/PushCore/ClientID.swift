/// Identifies a client of the gateway, whatever its protocol: a slot, and a generation that distinguishes successive
/// users of the slot.
package struct ClientID: Sendable, Hashable {
    package let slot: UInt32
    package let generation: UInt32

    package init(slot: UInt32, generation: UInt32) {
        self.slot = slot
        self.generation = generation
    }
}

package import HTTPCore

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

/// Where a deferred answer goes: to a client and, over HTTP/2, to one of its streams.
package struct ReplyTarget: Hashable, Sendable {
    package let connection: ClientID
    package let stream: StreamID?

    package init(connection: ClientID, stream: StreamID?) {
        self.connection = connection
        self.stream = stream
    }
}

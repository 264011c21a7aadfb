package import HTTPCore
package import PushCore

/// Identifies a client of the gateway, whatever its protocol: a slot, and the generation of the slot's user.
package struct ClientID: Sendable, Hashable {
    package let slot: UInt32
    package let generation: UInt32

    package init(slot: UInt32, generation: UInt32) {
        self.slot = slot
        self.generation = generation
    }
}

/// Who gets an answer that comes later: a client and, over HTTP/2, one of its streams.
package struct ReplyTarget: Hashable, Sendable {
    package let connection: ClientID
    package let stream: StreamID?
    /// The vendor whose format an answer from the gateway itself has.
    package var provider = Provider.apns

    package init(connection: ClientID, stream: StreamID?, provider: Provider = .apns) {
        self.connection = connection
        self.stream = stream
        self.provider = provider
    }
}

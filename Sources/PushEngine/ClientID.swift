package import PushCore
package import HTTPCore

/// Names a client of the gateway without knowing how it is connected: a slot, and which of its users is meant.
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
    /// Whose form an answer of ours has.
    package var provider = Provider.apns

    package init(connection: ClientID, stream: StreamID?, provider: Provider = .apns) {
        self.connection = connection
        self.stream = stream
        self.provider = provider
    }
}

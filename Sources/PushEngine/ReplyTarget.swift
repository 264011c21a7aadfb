package import HTTPCore
package import PushCore

/// Where a deferred answer goes: to a client and, over HTTP/2, to one of its streams.
package struct ReplyTarget: Hashable, Sendable {
    package let connection: ClientID
    package let stream: StreamID?

    package init(connection: ClientID, stream: StreamID?) {
        self.connection = connection
        self.stream = stream
    }
}

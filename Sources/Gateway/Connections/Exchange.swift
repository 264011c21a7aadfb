internal import HTTPCore
internal import WebSocket

/// Names a request that waits for its answer.
package struct Exchange: Sendable {
    let connection: ConnectionID
    /// The HTTP/2 stream, or the number of the request on an HTTP/1.1 connection.
    let stream: Int32
}

/// What is to be done about a request.
enum Outcome {
    case answer(Response)
    /// Switch to a WebSocket with this head.
    case upgrade(Response)
}

/// What is known of a connection beside its requests.
struct ConnectionFacts {
    var role: Role
    var isTLS: Bool
    var serverName: String?
    var clientCertificate: PeerCertificate?
}

/// What a client showed in the handshake.
package struct PeerCertificate: Sendable {
    package let der: [UInt8]
    package let isTrusted: Bool
}

internal import HTTPCore
internal import TLS
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
    /// Say goodbye to the whole connection with this reason; no stream was ever served.
    case goAway(String)
}

/// What is known of a connection beside its requests.
struct ConnectionFacts {
    var role: Role
    var isTLS: Bool
    var serverName: String?
    var clientCertificate: PeerCertificate?
}

/// What a client showed in the handshake.
struct PeerCertificate: Sendable {
    /// What it may do; nil where nothing can be read from it.
    let scope: ClientCertificateScope?
    /// Our authority signed it, and it is in its time.
    let isTrusted: Bool

    init(der: [UInt8], isTrusted: Bool) {
        scope = try? ClientCertificateScope(der: der)
        self.isTrusted = isTrusted
    }
}

internal import APNs
internal import ControlAPI
internal import HTTPCore
internal import PushCore
internal import PushEngine
internal import TLS
internal import WebSocket

/// What is to be done about a request.
enum Outcome {
    case answer(Response)
    /// Something goes wrong on purpose; the answer is only sent where the fault's plan says so.
    case fault(Fault, Response)
    /// The answer comes when something has happened.
    case deferred(DeferredReply)
    /// The same, when the push is on the disk.
    case afterPersist(Response, Provider, Fault?)
    /// Switch to a WebSocket of that kind with this head.
    case upgrade(Response, WebSocketChannel.Kind)
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

    /// As the APNs dialect has it.
    var provider: ProviderCertificate {
        var environments: Set<PushEnvironment> = []
        if let marked = scope?.environments {
            if marked.contains(.development) { environments.insert(.sandbox) }
            if marked.contains(.production) { environments.insert(.production) }
        }
        return ProviderCertificate(
            topics: scope?.topics ?? [], defaultTopic: scope?.defaultTopic, environments: environments)
    }

    init(der: [UInt8], isTrusted: Bool) {
        scope = try? ClientCertificateScope(der: der)
        self.isTrusted = isTrusted
    }
}

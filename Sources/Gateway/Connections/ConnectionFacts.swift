internal import APNs
internal import ControlAPI
internal import Faults
internal import HTTPCore
internal import Persistence
internal import Proxy
internal import PushCore
internal import PushEngine
internal import Routing
internal import TLS
internal import WebSocket

/// What the channel does with a request.
enum RequestOutcome {
    case answer(Response)
    /// A fault applies to the request. The answer is sent only if the fault's plan says so.
    case fault(Fault, Response)
    /// The answer comes after an event or a timeout.
    case deferred(DeferredReply)
    /// The answer is sent after the disk has saved the push, or the change that a call to the control API has made. For
    /// the control API, the `VendorCall` is nil.
    case afterPersist(Response, VendorCall?, Fault?)
    /// Switch to a WebSocket of this kind, with this answer.
    case upgrade(Response, WebSocketChannel.Kind)
    /// From now on, the connection carries the bytes of a connection to this host.
    case tunnel(ProxyTarget)
    /// End the connection with this reason, and report that no stream was served.
    case goAway(String)
}

/// Facts about a connection, independent of its requests.
struct ConnectionFacts {
    var role: Role
    /// The listener's APNs environment.
    let environment: PushEnvironment
    /// Whether the listener is on loopback, so that only programs on this machine can connect.
    let isLoopback: Bool
    var isTLS: Bool
    /// The name that the client asked for in the TLS handshake.
    var serverName: String?
    /// The host to which the connection is a tunnel; nil without a tunnel.
    var tunnelHost: String?
    var clientCertificate: PeerCertificate?
}

extension ConnectionFacts {
    /// The vendor whose host the client asked for, in the TLS handshake or before it with CONNECT.
    var vendor: Vendor? { (serverName ?? tunnelHost).flatMap { Vendor(host: $0) } }
}

/// The client certificate of the TLS handshake.
struct PeerCertificate: Sendable {
    /// What it allows; nil if the certificate itself can't be read.
    let scope: ClientCertificateScope?
    /// Whether the gateway's own authority signed it, and it is valid now.
    let isTrusted: Bool

    /// The certificate in the form that the APNs dialect uses.
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

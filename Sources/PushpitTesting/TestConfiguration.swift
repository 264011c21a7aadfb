internal import APNs
internal import EventLoop
internal import Fetching
package import Gateway
internal import HTTPCore
internal import PushCore
internal import Routing

/// How a test's gateway is set up. The defaults are those of `pushpit serve`, with a clock that stands still, and
/// without requests to other programs.
public struct TestConfiguration: Sendable {
    /// Which provider credentials are checked, and how.
    public enum Authentication: String, Sendable, CaseIterable { case off, lenient, strict }
    /// Whether payloads can be refused although the real service would accept them.
    public enum Validation: String, Sendable, CaseIterable { case strict, service }

    public var authentication = Authentication.lenient
    public var validation = Validation.strict
    /// Whether a push to an unknown token creates a device.
    public var acceptsUnknownDevices = true
    /// Whether FCM's rate limits are enforced.
    public var enforcesQuotas = false
    /// Whether the phones of a live gateway fetch files from this machine if they are not in the media table.
    public var fetchesMedia = false
    /// The token that the control API and device sockets require; nil if they do not require one.
    public var apiToken: String?
    /// Host names, besides the loopback ones, under which the gateway can be reached.
    public var allowedHosts: [String] = []
    /// The origins of web pages that may use the gateway, like `http://localhost:3000`. Malformed ones have no effect.
    public var allowedOrigins: [String] = []
    /// The maximum number of devices.
    public var deviceCapacity = 100_000
    /// The maximum number of bytes of pushes that wait for devices.
    public var waitingByteCapacity = 256 << 20
    /// The maximum number of events in the log.
    public var logCapacity = 40_000
    /// The maximum number of bytes of requests in the log.
    public var logByteCapacity = 64 << 20
    /// How long events are kept; nil keeps them until there are too many.
    public var eventLifetime: Duration?
    /// How long a connection may take for its TLS handshake, and for the head of a request.
    public var headTimeout = Duration.seconds(10)
    /// How long a client may pause while it sends a request or reads the answer.
    public var stallTimeout = Duration.seconds(30)
    /// How long an HTTP/1.1 connection is kept between requests.
    public var keepAliveTimeout = Duration.seconds(75)
    /// How long open connections have to finish when the gateway shuts down.
    public var drainTimeout = Duration.seconds(5)
    /// How long a device socket may be silent before the gateway pings it.
    public var heartbeat = Duration.seconds(30)
    /// Streams that a connection of role `apns` may open before its first accepted push.
    public var initialStreamLimit = 1
    /// Streams that a connection of role `apns` or `any` may open.
    public var streamLimit = 1000
    /// Streams that a connection of role `fcm` may open.
    public var fcmStreamLimit = 100
    /// The maximum number of bytes of incomplete request bodies, unsent HTTP/2 answers and incomplete WebSocket messages
    /// on all connections together.
    public var bodyMemory = 256 << 20
    /// The directory in which a live gateway stores its state; nil keeps it in memory.
    public var data: String?
    /// The seed for all ids, tokens and random choices, so that a test gets the same ones each time.
    public var seed: UInt64 = 1
    /// Whether an embedded gateway collects the log lines of level `debug` too.
    package var logsDebug = false
    /// Whether it collects them in JSON.
    package var logsJSON = false

    public init() {}

    /// These settings as the gateway's own type.
    package var gatewayConfiguration: Configuration {
        var result = Configuration()
        result.apns.auth = APNsPolicy.Auth(rawValue: authentication.rawValue) ?? .lenient
        result.apns.validation = APNsPolicy.Validation(rawValue: validation.rawValue) ?? .strict
        result.apns.acceptsUnknownDevices = acceptsUnknownDevices
        result.enforcesQuotas = enforcesQuotas
        result.outgoing.fetchMedia = fetchesMedia ? .loopback : .off
        result.apiToken = apiToken
        result.allowedHosts = allowedHosts
        result.allowedOrigins = allowedOrigins.compactMap(WebOrigin.init)
        result.deviceCapacity = deviceCapacity
        result.waitingByteCapacity = waitingByteCapacity
        result.logCapacity = logCapacity
        result.logByteCapacity = logByteCapacity
        result.eventLifetime = eventLifetime?.wholeMilliseconds
        result.headTimeout = UInt64(headTimeout.wholeMilliseconds)
        result.stallTimeout = UInt64(stallTimeout.wholeMilliseconds)
        result.keepAliveTimeout = UInt64(keepAliveTimeout.wholeMilliseconds)
        result.drainTimeout = UInt64(drainTimeout.wholeMilliseconds)
        result.heartbeat = UInt64(heartbeat.wholeMilliseconds)
        result.initialStreamLimit = UInt32(initialStreamLimit)
        result.streamLimit = UInt32(streamLimit)
        result.fcmStreamLimit = UInt32(fcmStreamLimit)
        result.bodyMemory = bodyMemory
        result.data = data
        return result
    }
}

/// The listener that a client connects to. It decides which service's connections the gateway imitates.
public enum TestRole: String, Sendable, CaseIterable {
    /// All services, by path.
    case any
    /// Apple's production service.
    case apns
    /// Apple's sandbox.
    case apnsSandbox
    /// Google's service.
    case fcm

    var listener: ListenerSpec {
        let address = SocketAddress(host: "127.0.0.1", port: 0)
        return switch self {
        case .any: ListenerSpec(role: .any, address: address)
        case .apns: ListenerSpec(role: .apns, address: address)
        case .apnsSandbox: ListenerSpec(role: .apns, address: address, environment: .sandbox)
        case .fcm: ListenerSpec(role: .fcm, address: address)
        }
    }
}

/// How a connection to a live gateway uses TLS.
public enum TestTLS: Sendable {
    /// TLS with ALPN and without a client certificate.
    case usual
    /// Clear text.
    case off
    /// TLS without ALPN.
    case withoutALPN
    /// TLS with this client certificate, as PEM together with its key.
    case certificate([UInt8])
}

extension Duration {
    var wholeMilliseconds: Int64 {
        Int64(components.seconds) * 1000 + Int64(components.attoseconds / 1_000_000_000_000_000)
    }
}

package import APNs
package import Credentials
package import Devices
package import EventLoop
package import FCM
package import Fetching
package import HTTPCore
package import Platform
package import Proxy
package import PushCore
package import Routing

/// Everything that can be configured. It does not change while the gateway runs.
package struct Configuration: Sendable {
    /// The addresses to listen on, each with the service that its connections behave like.
    package var listeners = [ListenerSpec(role: .any, address: SocketAddress(host: "127.0.0.1", port: 2197))]
    /// The directory of keys and certificates.
    package var certificates = "certs"
    /// What the gateway needs from the keys and certificates.
    package var credentials = Credentials.Needs()
    /// How many streams a connection of role `apns` that authenticates by provider token may open before its first
    /// accepted push.
    package var initialStreamLimit: UInt32 = 1
    /// How many streams a connection of role `apns` or `any` may open.
    package var streamLimit: UInt32 = 1000
    /// How many streams a connection of role `fcm` may open.
    package var fcmStreamLimit: UInt32 = 100
    /// Whether a refusal with a 4xx status other than 410 limits a connection of role `apns` to `initialStreamLimit`
    /// until the next accepted push.
    package var limitsStreamsAfterRefusal = true
    /// Whether to reset the stream of an APNs request with more than 8,000 bytes of headers; otherwise it gets a 431.
    package var resetsOversizedHeaders = true
    /// What the APNs dialect checks and how it answers.
    package var apns = APNsPolicy()
    /// The cases in which the alternative to FCM's usual answer is given.
    package var fcmChoices: Set<FCMChoice> = []
    /// Recorded Google answers that replace Pushpit's usual answers. If several are for the same situation, the last
    /// one applies.
    package var fcmAnswers: [RecordedAnswer] = []
    /// Whether FCM's real rate limits are enforced.
    package var enforcesQuotas = false
    /// When a push to a device without the app is answered with 410.
    package var unregisterRule = UnregisterRule()
    /// Additional keys that verify provider tokens.
    package var apnsKeys: [KeyFile] = []
    /// The token that requests to Pushpit's own pages must contain; nil if none is needed. It is required if a listener
    /// is not loopback.
    package var apiToken: String?
    /// Additional host names of this gateway, in lower case. Loopback names are always allowed.
    package var allowedHosts: [String] = []
    /// The origins of web pages that may use the gateway.
    package var allowedOrigins: [WebOrigin] = []
    /// Whether the proxy forwards connections to other hosts.
    package var forwardsOtherHosts = false
    /// The upstream proxy for those connections; nil to connect to the hosts directly.
    package var upstreamProxy: UpstreamProxy?
    /// What the gateway sends to other programs.
    package var outgoing = OutgoingSettings()
    /// The directory in which state is saved; nil keeps it in memory only.
    package var data: String?
    /// Milliseconds that a connection has for its TLS handshake, and then for the complete head of each request.
    package var headTimeout: UInt64 = 10_000
    /// Milliseconds without progress in the middle of a request or an answer before the connection is closed.
    package var stallTimeout: UInt64 = 30_000
    /// Milliseconds that an idle HTTP/1.1 connection stays open between requests.
    package var keepAliveTimeout: UInt64 = 75_000
    /// Milliseconds after SIGTERM at which connections that are still open are closed.
    package var drainTimeout: UInt64 = 5_000
    /// Milliseconds for which sockets are read in one turn of the loop. Each kind of waiting work gets a third of that.
    package var turnTime: UInt64 = 2
    /// Milliseconds of silence after which a device socket gets a ping. After twice this time it is closed.
    package var heartbeat: UInt64 = 30_000
    /// Bytes of unfinished request bodies, unsent HTTP/2 answers and unfinished WebSocket messages that all connections
    /// together may hold.
    package var bodyMemory = 256 << 20
    /// The largest number of devices. At this limit, a push to an unknown token removes the oldest device that was
    /// created by a push and has no open socket.
    package var deviceCapacity = 100_000
    /// Bytes of the pushes that wait for devices. At this limit, an APNs push that would have to wait is answered with
    /// 503. Broadcasts and FCM messages are accepted, and dropped for the devices that can't get them now (rule
    /// `devices.storage-full`).
    package var waitingByteCapacity = 256 << 20
    /// Whether `/devices/echo` exists, an echo socket for tests of the WebSocket protocol.
    package var hasTestEndpoints = false
    /// The largest number of events in the log. Usually this is enough for 10,000 pushes.
    package var logCapacity = 40_000
    /// Bytes of requests in the log.
    package var logByteCapacity = 64 << 20
    /// Milliseconds after which events are dropped. If nil, they are dropped only when there are too many.
    package var eventLifetime: Int64?
    package var logFormat = Log.Format.text
    package var logLevel = Log.Level.info

    package init() {}

    /// The host names that the user has given to the gateway, in lower case.
    package var hostNames: [String] {
        allowedHosts + credentials.names + listeners.compactMap { $0.address.name?.lowercased() }
    }
}

/// One `--listen [ROLE=]HOST:PORT`.
package struct ListenerSpec: Sendable, Equatable {
    package var role: Role
    package var address: SocketAddress
    /// The APNs environment of its connections; nil means the environment of the gateway.
    package var environment: PushEnvironment?

    package init(role: Role, address: SocketAddress, environment: PushEnvironment? = nil) {
        self.role = role
        self.address = address
        self.environment = environment
    }

    /// Puts the loopback address before a text that is only a port.
    package static func withHost(_ text: String) -> String {
        !text.isEmpty && text.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? "127.0.0.1:" + text : text
    }

    /// The name of the role `apns` together with the environment `sandbox`.
    private static let sandboxRole = "apns-sandbox"

    /// The role as it is written on the command line.
    package var roleName: String { role == .apns && environment == .sandbox ? Self.sandboxRole : role.rawValue }

    /// Reads `HOST:PORT` or `PORT`, with or without a role: `ROLE=HOST:PORT`. Nil if the text has another form.
    ///
    /// - Parameter read: reads `HOST:PORT`; the default looks up no names.
    package init?(
        parsing text: String, _ read: (String) -> SocketAddress? = { SocketAddress(parsing: $0) }
    ) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = read(Self.withHost(String(parts[parts.count - 1]))) else { return nil }
        self.address = address
        if parts.count == 2 {
            let isSandbox = parts[0] == Self.sandboxRole
            guard let role = isSandbox ? .apns : Role(rawValue: String(parts[0])) else { return nil }
            self.role = role
            environment = isSandbox ? .sandbox : nil
        } else {
            role = .any
        }
    }
}

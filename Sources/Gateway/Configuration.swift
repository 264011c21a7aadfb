package import APNs
package import Credentials
package import Devices
package import EventLoop
package import FCM
package import Platform
package import PushCore

/// All that can be set. Immutable once the gateway runs.
package struct Configuration: Sendable {
    /// Where to listen, and with whose manners.
    package var listeners = [ListenerSpec(role: .any, address: SocketAddress(host: "127.0.0.1", port: 2197))]
    /// The directory of keys and certificates.
    package var certificates = "certs"
    /// Streams a token connection of role `apns` may open before its first good push.
    package var firstStreams: UInt32 = 1
    /// Streams a connection of role `apns` or `any` may open.
    package var streams: UInt32 = 1000
    /// Streams a connection of role `fcm` may open.
    package var fcmStreams: UInt32 = 100
    /// A refused push takes a connection of role `apns` back to `firstStreams` until the next good one.
    package var dropsStreamsOnError = true
    /// An APNs request whose field list is over 8,000 octets has its stream reset, instead of a 431.
    package var resetsOverlongFields = true
    /// What of Apple's service is switched.
    package var apns = APNsPolicy()
    /// Where FCM's other answer is taken.
    package var fcmChoices: Set<FCMChoice> = []
    /// FCM's rates are the real ones.
    package var hasQuotas = false
    /// When a device whose app is gone is answered 410.
    package var unregisterRule = UnregisterRule()
    /// Further keys that providers sign with.
    package var apnsKeys: [KeyFile] = []
    /// Needed by everything of ours on a listener that is not loopback; nil: none.
    package var apiToken: String?
    /// Host names, beside the loopback ones, under which our own pages may be asked for.
    package var allowedHosts: [String] = []
    /// Where everything is kept; nil: in memory alone.
    package var data: String?
    /// Milliseconds a connection has for its TLS handshake, and then for the whole head of a request.
    package var headTimeout: UInt64 = 10_000
    /// Milliseconds without a byte in the middle of a request, or without the peer taking any of an answer.
    package var stallTimeout: UInt64 = 30_000
    /// Milliseconds an HTTP/1.1 connection is kept between requests.
    package var keepAliveTimeout: UInt64 = 75_000
    /// Milliseconds open connections have to finish in after SIGTERM.
    package var drainTimeout: UInt64 = 5_000
    /// Milliseconds of a device socket's silence after which it is pinged; after twice as many it is closed.
    package var heartbeat: UInt64 = 30_000
    /// Bytes of unfinished request bodies that all connections together may hold.
    package var bodyMemory = 256 << 20
    /// Devices kept; one more makes the oldest that nobody watches go.
    package var deviceCapacity = 100_000
    /// Bytes of the pushes that wait for devices; once there are as many, what would have to wait is answered 503.
    package var waitingByteCapacity = 256 << 20
    /// An echo socket for tests of the WebSocket protocol.
    package var hasTestEndpoints = false
    /// Events kept: those of 10,000 pushes, as a rule.
    package var logCapacity = 40_000
    /// Bytes of requests kept with them.
    package var logByteCapacity = 64 << 20
    /// Milliseconds that events are kept; nil: until there are too many.
    package var keepFor: Int64?
    package var logFormat = Log.Format.text
    package var logLevel = Log.Level.info

    package init() {}
}

/// One `--listen [ROLE=]HOST:PORT`.
package struct ListenerSpec: Sendable, Equatable {
    package var role: Role
    package var address: SocketAddress
    /// What its connections mean by APNs; nil: what the gateway does.
    package var environment: PushEnvironment?

    package init(role: Role, address: SocketAddress, environment: PushEnvironment? = nil) {
        self.role = role
        self.address = address
        self.environment = environment
    }

    /// `apns` and its environment, for those who need both.
    private static let sandboxRole = "apns-sandbox"

    /// As it was asked for.
    package var roleName: String { role == .apns && environment == .sandbox ? Self.sandboxRole : role.rawValue }

    /// Nil where it is neither `HOST:PORT` nor `ROLE=HOST:PORT`.
    package init?(parsing text: String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = SocketAddress(parsing: String(parts[parts.count - 1])) else { return nil }
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

/// Whose manners a connection has.
package enum Role: String, Sendable, CaseIterable { case any, apns, fcm }

package import HTTPCore
internal import PushCore

/// Which part of the gateway a request is for.
package enum Service: UInt8 {
    case apns, apnsSandbox, google, deviceSocket, echoSocket, collector, control, live, ready, metrics, console, unknown
    /// The certificate of the authority that signs the gateway's certificates.
    case authority
    /// Registration of real clients, and web pushes to them.
    case receiver
    /// Answers a browser that asks what a page of an allowed origin may do.
    case preflight
    /// Refuses requests from web pages that may not use the gateway, whatever the path.
    case forbiddenPage
    /// Opens tunnels to the vendors' host names (`CONNECT`).
    case proxy

    /// The allowed methods; nil if the service itself checks the method.
    package var methods: [Method]? {
        switch self {
        case .live, .ready, .metrics, .console, .authority: [.get, .head]
        case .deviceSocket, .echoSocket: [.get]
        case .receiver: [.post, .patch, .delete]
        case .apns, .apnsSandbox, .google, .collector, .control, .unknown, .preflight, .forbiddenPage, .proxy: nil
        }
    }
}

extension Service {
    /// Whether the token is required: the service shows or changes Pushpit's own state. The console's own files
    /// contain no such state, so they need no token.
    package var needsToken: Bool { isGuarded && self != .console }

    /// Whether a request is refused if its Host is not one of this gateway's.
    package var isGuarded: Bool {
        switch self {
        case .metrics, .control, .console, .deviceSocket, .echoSocket, .unknown: true
        case .apns, .apnsSandbox, .google, .collector, .live, .ready, .authority, .preflight, .forbiddenPage,
            .proxy, .receiver:
            false
        }
    }

    package var isAPNs: Bool { self == .apns || self == .apnsSandbox }
}

extension Vendor {
    /// The part of the gateway that answers for this vendor.
    var service: Service {
        switch self {
        case .apple: .apns
        case .appleSandbox: .apnsSandbox
        case .google: .google
        case .webPush: .receiver
        }
    }
}

/// The service that a connection imitates in its connection-level behavior.
package enum Role: String, Sendable, CaseIterable {
    case any, apns, fcm
    /// Real clients of Google's push service. They speak MCS, Google's Mobile Connection Server protocol, from the first
    /// byte.
    case mcs
}

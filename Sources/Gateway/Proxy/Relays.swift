package import EventLoop
internal import Proxy

/// The relays of the proxy, and how they connect to other machines.
package final class Relays {
    /// Connects to a text such as `example.com:443`. `done` is called later, with the socket, which is not read yet.
    package typealias Dial = (_ address: String, _ done: @escaping Done) -> Void
    package typealias Done = (Result<any RelayTransport, DialFailure>) -> Void

    /// Why there is no connection to a host, in words that are put after a colon: "the address has a host that cannot be looked up".
    package struct DialFailure: Error {
        package let reason: String
        package init(reason: String) { self.reason = reason }
    }

    /// Nil if the proxy passes nothing on.
    package var dial: Dial?
    /// The next proxy, if there is one.
    private var upstream: UpstreamProxy?
    /// How many relays are open or being opened.
    private(set) var count = 0
    private static let capacity = 1000

    init(upstream: UpstreamProxy?) { self.upstream = upstream }

    /// `HTTPS_PROXY` or a similar variable may name this gateway itself. Passing connections on to itself would never
    /// end.
    func ignoreUpstream(onPorts ports: [UInt16]) {
        let names = ports.flatMap { port in ["localhost:\(port)", "127.0.0.1:\(port)", "[::1]:\(port)"] }
        if let upstream, names.contains(upstream.address) { self.upstream = nil }
    }

    /// The proxy through which connections to this target go; nil if they go there directly.
    func upstream(for target: RelayTarget) -> UpstreamProxy? { upstream.flatMap { $0.isUsed(for: target) ? $0 : nil } }

    /// Takes a place for one more relay. False if all places are taken.
    func take() -> Bool {
        guard count < Self.capacity else { return false }
        count += 1
        return true
    }

    func giveBack() { count -= 1 }
}

/// The socket of a relay to another machine.
package protocol RelayTransport: Transport {
    var owner: (any TCPStreamOwner)? { get set }
}

extension TCPStream: RelayTransport {}

@available(*, unavailable) extension Relays: Sendable {}

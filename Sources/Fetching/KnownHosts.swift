internal import EventLoop
internal import PushCore

/// The hosts that need no look-up: IP addresses, `localhost`, and names that were looked up a moment ago.
struct KnownHosts {
    private var found: [String: (addresses: HostLookup.Found, until: UInt64)] = [:]

    /// How many milliseconds the result of a look-up is kept.
    static let lifetime: UInt64 = 10_000
    static let capacity = 256

    /// Nil if the host has to be looked up.
    func addresses(of endpoint: MediaURL.Endpoint, at now: UInt64) -> HostLookup.Found? {
        if let known = found[endpoint.text], known.until > now { return known.addresses }
        var name = endpoint.host
        if name.hasSuffix(".") { name.removeLast() }
        // These names always mean this machine (RFC 6761 §6.3). Its server may listen on only one of the two addresses.
        if name == "localhost" || name.hasSuffix(".localhost") {
            return .success(["127.0.0.1", "::1"].map { SocketAddress(host: $0, port: endpoint.port) })
        }
        return SocketAddress(parsing: endpoint.text).map { .success([$0]) }
    }

    mutating func remember(_ endpoint: MediaURL.Endpoint, _ addresses: HostLookup.Found, at now: UInt64) {
        if found.count >= Self.capacity { found = [:] }
        found[endpoint.text] = (addresses, now + Self.lifetime)
    }
}

extension MediaURL.Endpoint {
    /// The host and the port.
    var text: String { "\(host):\(port)" }
}

internal import HTTPCore

/// A host and a port to which a relay passes bytes on.
package struct RelayTarget: Equatable, CustomStringConvertible {
    /// A name, an IPv4 address, or an IPv6 address in brackets.
    package let host: String
    package let port: UInt16

    package init(_ authority: String) throws(VendorHost.Problem) {
        guard let target = HostAndPort(parsing: authority), !target.host.isEmpty,
            target.host.utf8.count <= Self.longestName, let digits = target.port, let port = UInt16(digits), port > 0
        else { throw .malformed }
        host = target.host
        self.port = port
    }

    package var description: String { "\(host):\(port)" }

    /// The longest name of a host (RFC 1035 §2.3.4).
    private static let longestName = 255
}

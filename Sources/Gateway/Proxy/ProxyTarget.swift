internal import HTTPCore

/// Where a CONNECT leads.
enum ProxyTarget {
    /// To a host that Pushpit imitates.
    case vendor(VendorHost)
    /// To another machine.
    case other(RelayTarget)

    /// - Parameter passesOn: whether other hosts than those of the vendors are allowed.
    init(_ authority: String, passesOn: Bool) throws(VendorHost.Problem) {
        do throws(VendorHost.Problem) {
            self = .vendor(try VendorHost(authority))
        } catch {
            guard passesOn, case .foreign = error else { throw error }
            self = .other(try RelayTarget(authority))
        }
    }
}

/// A host and a port to which a relay passes bytes on.
struct RelayTarget: Equatable, CustomStringConvertible {
    /// A name, an IPv4 address, or an IPv6 address in brackets.
    let host: String
    let port: UInt16

    init(_ authority: String) throws(VendorHost.Problem) {
        guard let target = HostAndPort(parsing: authority), !target.host.isEmpty,
            target.host.utf8.count <= Self.longestName, let digits = target.port, let port = UInt16(digits), port > 0
        else { throw .malformed }
        host = target.host
        self.port = port
    }

    var description: String { "\(host):\(port)" }

    /// The longest name of a host (RFC 1035 §2.3.4).
    private static let longestName = 255
}

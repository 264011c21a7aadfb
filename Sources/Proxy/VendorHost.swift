internal import HTTPCore
internal import PushCore

/// A host of Apple, Google or Mozilla that Pushpit imitates, as the target of a CONNECT.
package struct VendorHost {
    /// In lower case.
    package let name: String

    /// Why a target gets no tunnel.
    package enum Problem: Error, Equatable {
        /// The target is not a host and a port.
        case malformed
        /// The vendor does not serve this port, only the ones in the list.
        case port(String, String, served: [String])
        /// A host of a vendor that Pushpit does not imitate.
        case notImitated(String)
        /// A host of somebody else.
        case foreign(String)
        /// A host whose `http://` URL was requested. Only connections are passed on.
        case notConnected(String)

        /// The sentence for the client.
        package var sentence: String {
            switch self {
            case .malformed: "CONNECT needs a host and a port, as in 'CONNECT api.push.apple.com:443'."
            case .port(let host, let port, let served):
                "Pushpit answers for \(host) on \(served.count == 1 ? "port" : "ports") \(served.joined(separator: " and ")), not on port \(port)."
            case .notImitated(let host):
                "Pushpit does not imitate \(host), and passes nothing on to Apple, Google or Mozilla."
            case .foreign(let host):
                "Pushpit is a proxy only for the push services of Apple, Google and Mozilla, not for \(host). If it is started with --proxy-pass, it also connects clients to other hosts."
            case .notConnected(let host):
                "Pushpit forwards connections (CONNECT) only, not requests for http:// URLs such as those of \(host). Unset HTTP_PROXY, or add the host to NO_PROXY."
            }
        }
    }

    /// - Parameter authority: the target of a CONNECT.
    package init(_ authority: String) throws(Problem) {
        guard let target = HostAndPort(parsing: authority), let port = target.port, !port.isEmpty, !target.host.isEmpty
        else { throw .malformed }
        // A name may end in a dot, which says that it is complete.
        var host = target.host
        while host.hasSuffix(".") { host.removeLast() }
        let shown = host.utf8.count > Self.shownLength ? String(host.prefix(Self.shownLength)) + "…" : host
        guard let vendor = Vendor(host: host) else {
            throw Vendor.owns(host) ? .notImitated(shown) : .foreign(shown)
        }
        guard vendor.ports.contains(port) else {
            throw .port(shown, String(port.prefix(Self.shownLength)), served: vendor.ports)
        }
        name = host
    }

    /// Why the proxy does not answer a request for an `http://` URL.
    ///
    /// - Parameters:
    ///   - authority: the URL's host and port, which is not one of a push host.
    ///   - forwardsOtherHosts: whether the proxy forwards connections to other hosts.
    package static func problem(withURLOf authority: String, forwardsOtherHosts: Bool) -> Problem {
        let isComplete = HostAndPort(parsing: authority)?.port?.isEmpty == false
        do throws(Problem) {
            let host = try VendorHost(isComplete ? authority : "\(authority):443")
            return .foreign(host.name)
        } catch {
            if case .foreign(let host) = error, forwardsOtherHosts { return .notConnected(host) }
            return error
        }
    }

    private static let shownLength = 100
}

extension Vendor {
    /// The ports of the real services (docs/evidence/apns.md §1.1, documented; receivers.md §4, observed).
    fileprivate var ports: [String] {
        switch self {
        case .apple, .appleSandbox: ["443", "2197"]
        case .google: ["443", "5228"]
        case .webPush: ["443"]
        }
    }
}

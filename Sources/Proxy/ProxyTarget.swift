/// The target of a CONNECT.
package enum ProxyTarget {
    /// To a host that Pushpit imitates.
    case vendor(VendorHost)
    /// To another machine.
    case other(RelayTarget)

    /// - Parameter forwardsOtherHosts: whether hosts other than those of the vendors are allowed.
    package init(_ authority: String, forwardsOtherHosts: Bool) throws(VendorHost.Problem) {
        do throws(VendorHost.Problem) {
            self = .vendor(try VendorHost(authority))
        } catch {
            guard forwardsOtherHosts, case .foreign = error else { throw error }
            self = .other(try RelayTarget(authority))
        }
    }
}

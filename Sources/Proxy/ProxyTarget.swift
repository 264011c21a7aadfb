/// Where a CONNECT leads.
package enum ProxyTarget {
    /// To a host that Pushpit imitates.
    case vendor(VendorHost)
    /// To another machine.
    case other(RelayTarget)

    /// - Parameter passesOn: whether other hosts than those of the vendors are allowed.
    package init(_ authority: String, passesOn: Bool) throws(VendorHost.Problem) {
        do throws(VendorHost.Problem) {
            self = .vendor(try VendorHost(authority))
        } catch {
            guard passesOn, case .foreign = error else { throw error }
            self = .other(try RelayTarget(authority))
        }
    }
}

/// Decides which addresses the gateway may connect to. It is asked before every connection, so a look-up or a redirect
/// cannot get around it.
struct AddressPolicy: Sendable {
    enum Reach: Sendable {
        /// Only addresses of this machine.
        case thisMachine
        /// Other machines too.
        case otherMachines
        /// Every address except this gateway's own ports, because the user has named the server.
        case everywhere
    }

    /// Why an address is refused.
    enum Refusal: Sendable, Equatable {
        case otherMachine
        case reserved
        case thisGateway

        /// The end of a sentence that begins with the host, as in "example.com is not this machine, …".
        var reason: String {
            switch self {
            case .otherMachine: "is not this machine, and --fetch-media is 'loopback'"
            case .reserved: "has a link-local, multicast or reserved address, from which nothing is fetched"
            case .thisGateway: "is this gateway, which sends nothing to itself"
            }
        }
    }

    let reach: Reach
    /// The ports of the gateway's listeners.
    let ownPorts: Set<UInt16>

    /// Nil if the address is allowed.
    ///
    /// - Parameter interfaces: looks up the addresses of this machine's network interfaces.
    func refusal(of address: IPAddress, port: UInt16, interfaces: () -> [IPAddress]) -> Refusal? {
        let isThisMachine = address.isLoopback || interfaces().contains(address)
        if isThisMachine { return ownPorts.contains(port) ? .thisGateway : nil }
        switch reach {
        case .thisMachine: return .otherMachine
        case .otherMachines: return address.isReserved ? .reserved : nil
        case .everywhere: return nil
        }
    }

    /// Whether a host with this name can be allowed. If only this machine is allowed, the names that are reserved for
    /// documentation (RFC 2606) are refused without a look-up, because they are never names of this machine.
    func mayAllow(_ name: String) -> Bool {
        guard case .thisMachine = reach else { return true }
        let labels = name.split(separator: ".")
        guard let last = labels.last else { return false }
        if ["example", "invalid"].contains(last) { return false }
        return labels.count < 2 || labels[labels.count - 2] != "example" || !["com", "net", "org"].contains(last)
    }
}

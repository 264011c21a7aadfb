/// Which addresses may be connected to. It is asked for every connection, so also after a name was looked up and after
/// each redirect.
struct AddressPolicy: Sendable {
    enum Reach: Sendable {
        /// Only addresses of this machine.
        case thisMachine
        /// Other machines too.
        case otherMachines
        /// Every address, because the user has named the server.
        case everywhere
    }

    /// Why an address is refused.
    enum Refusal: Sendable, Equatable {
        case otherMachine
        case linkLocal
        case thisGateway

        /// To follow a host: "example.com is not this machine, …".
        var reason: String {
            switch self {
            case .otherMachine: "is not this machine, and --fetch-media is 'loopback'"
            case .linkLocal: "has a link-local address, which is never fetched from"
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
        case .otherMachines: return address.isLinkLocalOrGroup ? .linkLocal : nil
        case .everywhere: return nil
        }
    }

    /// Whether a host with this name can be allowed. The names that are reserved for documents (RFC 2606) belong to no
    /// machine of a developer, so nothing has to be looked up for them.
    func mayAllow(_ name: String) -> Bool {
        guard case .thisMachine = reach else { return true }
        let labels = name.split(separator: ".")
        guard let last = labels.last else { return false }
        if ["example", "invalid"].contains(last) { return false }
        return labels.count < 2 || labels[labels.count - 2] != "example" || !["com", "net", "org"].contains(last)
    }
}

import EventLoop
import Testing

@testable import Fetching

/// Which addresses may be connected to.
@Suite struct AddressPolicyTests {
    /// An address of a network interface of the machine.
    private static let own = "192.168.7.5"
    private static let ownPort: UInt16 = 2197

    struct Row: CustomTestStringConvertible {
        let address: String
        var port: UInt16 = 80
        var local: AddressPolicy.Refusal?
        var remote: AddressPolicy.Refusal?

        var testDescription: String { "\(address) \(port)" }
    }

    static let rows = [
        Row(address: "127.0.0.1"), Row(address: "127.255.255.254"), Row(address: "::1"), Row(address: "0.0.0.0"),
        Row(address: "::"), Row(address: "::ffff:127.0.0.1"), Row(address: own), Row(address: "::ffff:\(own)"),
        Row(address: "192.168.7.6", local: .otherMachine), Row(address: "128.0.0.1", local: .otherMachine),
        Row(address: "126.255.255.255", local: .otherMachine), Row(address: "10.0.0.1", local: .otherMachine),
        Row(address: "::ffff:10.0.0.1", local: .otherMachine), Row(address: "::2", local: .otherMachine),
        Row(address: "::127.0.0.1", local: .otherMachine), Row(address: "2001:db8::1", local: .otherMachine),
        Row(address: "1.0.0.0", local: .otherMachine), Row(address: "64:ff9b::7f00:1", local: .otherMachine),
        Row(address: "169.254.169.254", local: .otherMachine, remote: .reserved),
        Row(address: "::ffff:169.254.169.254", local: .otherMachine, remote: .reserved),
        Row(address: "169.253.0.1", local: .otherMachine),
        Row(address: "fe80::1", local: .otherMachine, remote: .reserved),
        Row(address: "febf::1", local: .otherMachine, remote: .reserved),
        Row(address: "fec0::1", local: .otherMachine),
        Row(address: "ff02::1", local: .otherMachine, remote: .reserved),
        Row(address: "224.0.0.1", local: .otherMachine, remote: .reserved),
        Row(address: "255.255.255.255", local: .otherMachine, remote: .reserved),
        Row(address: "223.255.255.255", local: .otherMachine),
        Row(address: "127.0.0.1", port: ownPort, local: .thisGateway, remote: .thisGateway),
        Row(address: "::ffff:127.0.0.1", port: ownPort, local: .thisGateway, remote: .thisGateway),
        Row(address: "0.0.0.0", port: ownPort, local: .thisGateway, remote: .thisGateway),
        Row(address: own, port: ownPort, local: .thisGateway, remote: .thisGateway),
        Row(address: "10.0.0.1", port: ownPort, local: .otherMachine),
    ]

    @Test(arguments: rows) func `an address is allowed or refused`(row: Row) throws {
        let address = IPAddress(SocketAddress(host: row.address, port: row.port))
        let verdict = { (reach: AddressPolicy.Reach) in
            AddressPolicy(reach: reach, ownPorts: [Self.ownPort]).refusal(of: address, port: row.port) {
                [IPAddress([192, 168, 7, 5])]
            }
        }
        #expect(verdict(.thisMachine) == row.local)
        #expect(verdict(.otherMachines) == row.remote)
        #expect(verdict(.everywhere) == (row.remote == .thisGateway ? .thisGateway : nil))
    }

    @Test func `the interfaces are not asked about loopback addresses`() {
        let policy = AddressPolicy(reach: .thisMachine, ownPorts: [])
        var asked = 0
        for bytes in [[127, 0, 0, 1], [10, 0, 0, 1]] as [[UInt8]] {
            _ = policy.refusal(of: IPAddress(bytes), port: 80) {
                asked += 1
                return []
            }
        }
        #expect(asked == 1)
    }

    @Test func `the addresses of this machine contain the loopback address`() {
        #expect(SocketAddress.ofThisMachine.contains { $0.host == "127.0.0.1" })
    }

    @Test(arguments: [
        ("example.com", false), ("images.example.com", false), ("example.net", false), ("a.example.org", false),
        ("a.example", false), ("b.invalid", false), ("example", false), ("myexample.com", true), ("example.de", true),
        ("example.com.de", true), ("images.test", true), ("intranet", true), ("cdn.shop.com", true), ("", false),
    ]) func `a name reserved for documentation is not looked up if only this machine is allowed`(
        name: String, mayAllow: Bool
    ) {
        #expect(AddressPolicy(reach: .thisMachine, ownPorts: []).mayAllow(name) == mayAllow)
        #expect(AddressPolicy(reach: .otherMachines, ownPorts: []).mayAllow(name))
    }
}

/// The names of the files that contain a gateway's port.
package struct PortFiles: Sendable {
    static let serviceAccount = "service-account.json"
    static let index = "pushpit.json"

    package let serviceAccount: String
    package let index: String
    /// The port of the other running gateway, which uses the files with the usual names; nil if this gateway uses them.
    package let otherPort: UInt16?

    /// The usual names.
    init() {
        (serviceAccount, index, otherPort) = (Self.serviceAccount, Self.index, nil)
    }

    init(of port: UInt16, besides other: UInt16) {
        (serviceAccount, index, otherPort) = ("service-account-\(port).json", "pushpit-\(port).json", other)
    }
}

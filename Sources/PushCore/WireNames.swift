/// Names that the gateway and its own clients have to spell alike.
package enum WireNames {
    /// The path under which the control API lies.
    package static let controlRoot = "/api/v1"
    /// The path of the device socket, and the subprotocol that it speaks.
    package static let deviceSocketPath = "/devices/socket"
    package static let deviceSubprotocol = "pushpit.device.v1"
}

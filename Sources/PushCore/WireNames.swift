/// Names that the gateway and its clients must spell the same way.
package enum WireNames {
    /// The path prefix of the control API.
    package static let controlRoot = "/api/v1"
    /// The path of the device socket.
    package static let deviceSocketPath = "/devices/socket"
    /// The WebSocket subprotocol of the device socket.
    package static let deviceSubprotocol = "pushpit.device.v1"
}

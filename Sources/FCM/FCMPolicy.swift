/// What of FCM can be switched; the defaults are the design's.
package struct FCMPolicy: Sendable {
    package var asksForCredentials: Bool
    /// The media rules refuse.
    package var isStrict: Bool
    package var acceptsUnknownDevices: Bool

    package init(asksForCredentials: Bool = true, isStrict: Bool = true, acceptsUnknownDevices: Bool = true) {
        self.asksForCredentials = asksForCredentials
        self.isStrict = isStrict
        self.acceptsUnknownDevices = acceptsUnknownDevices
    }
}

/// What of FCM can be switched; the defaults are the design's.
package struct FCMPolicy: Sendable {
    package var asksForCredentials: Bool
    /// Only access tokens that were issued here are good.
    package var asksForKnownBearers: Bool
    /// The media rules refuse.
    package var isStrict: Bool
    package var acceptsUnknownDevices: Bool
    /// Where the other answer is taken.
    package var choices: Set<FCMChoice>

    package init(
        asksForCredentials: Bool = true, asksForKnownBearers: Bool = false, isStrict: Bool = true,
        acceptsUnknownDevices: Bool = true,
        choices: Set<FCMChoice> = []
    ) {
        self.asksForCredentials = asksForCredentials
        self.asksForKnownBearers = asksForKnownBearers
        self.isStrict = isStrict
        self.acceptsUnknownDevices = acceptsUnknownDevices
        self.choices = choices
    }
}

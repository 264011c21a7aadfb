/// The settings of the FCM side.
package struct FCMPolicy: Sendable {
    /// Requests need a bearer token. False with `--auth off`.
    package var asksForCredentials: Bool
    /// Only access tokens that this gateway issued are accepted. True with `--auth strict`.
    package var asksForKnownBearers: Bool
    /// A message that breaks a media rule is refused. If false, it is accepted with a finding.
    package var isStrict: Bool
    /// A message to an unknown but well-formed token creates a device.
    package var acceptsUnknownDevices: Bool
    /// The choices for which the alternative answer is used.
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

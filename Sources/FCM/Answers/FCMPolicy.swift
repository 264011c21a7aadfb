/// The settings of the FCM side.
package struct FCMPolicy: Sendable {
    /// Requests need a bearer token. False with `--auth off`.
    package var requiresCredentials: Bool
    /// Only access tokens that this gateway issued are accepted. True with `--auth strict`.
    package var requiresKnownBearers: Bool
    /// A message that breaks a media rule is refused. If false, it is accepted with a finding.
    package var isStrict: Bool
    /// A message to an unknown but well-formed token creates a device.
    package var acceptsUnknownDevices: Bool
    /// The choices for which the alternative answer is used.
    package var choices: Set<FCMChoice>

    package init(
        requiresCredentials: Bool = true, requiresKnownBearers: Bool = false, isStrict: Bool = true,
        acceptsUnknownDevices: Bool = true,
        choices: Set<FCMChoice> = []
    ) {
        self.requiresCredentials = requiresCredentials
        self.requiresKnownBearers = requiresKnownBearers
        self.isStrict = isStrict
        self.acceptsUnknownDevices = acceptsUnknownDevices
        self.choices = choices
    }
}

internal import HTTPCore
internal import PushCore

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
    /// The recorded answers that replace the gateway's own, by situation.
    private var answers: [String: RecordedAnswer] = [:]

    package init(
        requiresCredentials: Bool = true, requiresKnownBearers: Bool = false, isStrict: Bool = true,
        acceptsUnknownDevices: Bool = true,
        choices: Set<FCMChoice> = [], answers: [RecordedAnswer] = []
    ) {
        self.requiresCredentials = requiresCredentials
        self.requiresKnownBearers = requiresKnownBearers
        self.isStrict = isStrict
        self.acceptsUnknownDevices = acceptsUnknownDevices
        self.choices = choices
        // The last answer for a situation counts.
        for answer in answers { self.answers[answer.situation] = answer.isStandard ? nil : answer }
    }

    /// The answer to an error, in the wording that `--fcm-choice` selects.
    func answer(_ error: GoogleError, to request: Request, _ query: GoogleQuery, project: String)
        -> GoogleAnswer
    {
        guard let chosen = answers[error.rule.description] else {
            return GoogleAnswer(error, to: request, query)
        }
        return GoogleAnswer(
            response: chosen.response(to: request, project: project), rule: error.rule,
            because: error.sentence)
    }

    /// The error code in the answer that `answer` returns for this error.
    func code(of error: GoogleError) -> String {
        answers[error.rule.description]?.errorCode ?? error.errorCode
    }
}

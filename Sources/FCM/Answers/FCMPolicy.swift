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
    /// The recorded answers that replace the gateway's own.
    private var answers: [Situation: RecordedAnswer] = [:]

    private struct Situation: Hashable {
        let rule: String
        /// Nil for answers that any platform gets.
        let platform: FCMRegistration.Platform?
    }

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
        for answer in answers {
            if answer.platform == nil { self.answers = self.answers.filter { $0.key.rule != answer.situation } }
            let situation = Situation(rule: answer.situation, platform: answer.platform)
            self.answers[situation] = answer.isStandard ? nil : answer
        }
    }

    /// The answer to an error, in the wording that `--fcm-choice` selects.
    ///
    /// - Parameter platform: that of the only device that the message is for; nil for all other requests.
    func answer(
        _ error: GoogleError, for platform: FCMRegistration.Platform? = nil, to request: Request, _ query: GoogleQuery,
        project: String
    ) -> GoogleAnswer {
        guard let chosen = chosen(error, platform) else {
            return GoogleAnswer(error, to: request, query)
        }
        return GoogleAnswer(
            response: chosen.response(to: request, project: project), rule: error.rule,
            because: error.sentence)
    }

    /// All values that `code(of:)` can have.
    package static let errorCodes: Set<String> = Set(
        GoogleError.statusNames.values + RecordedAnswer.all.compactMap(\.errorCode)
            + [GoogleError.senderMismatch, .deviceQuota, .thirdPartyAuth, .unregistered].map(\.errorCode))

    /// The error code in the answer that `answer` returns for this error.
    func code(of error: GoogleError, for platform: FCMRegistration.Platform? = nil) -> String {
        chosen(error, platform)?.errorCode ?? error.errorCode
    }

    private func chosen(_ error: GoogleError, _ platform: FCMRegistration.Platform?) -> RecordedAnswer? {
        if answers.isEmpty { return nil }
        let rule = error.rule.description
        return answers[Situation(rule: rule, platform: platform)] ?? answers[Situation(rule: rule, platform: nil)]
    }
}

package import HTTPCore

/// An answer that was recorded from the real service, or that is known in another way. If the fixture
/// `Tests/Conformance/fixtures/fcm-errors.jsonl` has it, its id is the same there.
///
/// If several answers were seen in the same situation, the gateway gives one of them. A fault and `--fcm-choice` can
/// choose any of them by id.
package struct RecordedAnswer: Sendable {
    package let id: String
    /// The services that give this answer.
    package let services: [GoogleService]
    /// The situation in which it was recorded, named by the rule id of the gateway's own answer in that situation.
    let situation: String
    /// Whether this is also the gateway's own answer in that situation.
    let isStandard: Bool
    /// If set, only messages to devices of this platform get this answer.
    private(set) var platform: FCMRegistration.Platform?
    private let body: Body

    enum Body: Sendable {
        /// An error that can name a project.
        case error(@Sendable (_ project: String) -> GoogleError)
        case response(@Sendable (Request) -> Response)
    }

    init(
        _ id: String, _ services: [GoogleService], _ situation: String, isStandard: Bool, _ body: Body
    ) {
        self.id = id
        self.services = services
        self.situation = situation
        self.isStandard = isStandard
        self.body = body
    }

    /// The same answer for messages to one device of this platform only.
    func only(for platform: FCMRegistration.Platform) -> RecordedAnswer {
        var answer = self
        answer.platform = platform
        return answer
    }

    package static var names: [String] { all.map(\.id) }

    /// Nil if there is no answer with this id.
    package static func named(_ id: String) -> RecordedAnswer? { all.first { $0.id == id } }

    package func response(to request: Request, project: String) -> Response {
        switch body {
        case .error(let make): GoogleAnswer.response(make(project), to: request, GoogleQuery(request))
        case .response(let make): make(request)
        }
    }

    /// FCM's error code, or the name of the status; nil for an answer that has neither.
    package var errorCode: String? {
        if case .error(let make) = body { return make("").errorCode }
        return nil
    }

    /// The answer for a status and an error code of FCM. If the code is one of Apple's reasons, this is the answer that
    /// Google gives with that status.
    ///
    /// - Parameter isForTopic: whether the request is about a topic, which has its own quota.
    package static func response(
        _ status: Int, _ code: String, to request: Request, isForTopic: Bool = false
    ) -> Response {
        GoogleAnswer.response(error(status, code, isForTopic: isForTopic), to: request, GoogleQuery(request))
    }

    /// FCM's error code in that answer.
    package static func errorCode(_ status: Int, _ code: String, isForTopic: Bool = false) -> String {
        error(status, code, isForTopic: isForTopic).errorCode
    }

    private static func error(_ status: Int, _ code: String, isForTopic: Bool) -> GoogleError {
        let isAPNsReason = code.utf8.contains { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }
        let quota = isForTopic ? GoogleError.topicMessageQuota : .deviceQuota
        let known = (errors + [quota]).first {
            $0.code == status && (isAPNsReason || $0.errorCode == code)
        }
        return known
            ?? GoogleError(
                status, "Request was answered \(code) by a fault.", [.fcmError(code)], rule: "fcm.fault")
    }

    private static let errors = [
        GoogleError.unregistered, .senderMismatch, .unavailable, .internalError, .thirdPartyAuth,
        .invalidArgument,
    ]
}

package import PushCore

/// What a call about topics asks of one registration.
package struct TopicCall: Sendable {
    package enum Verb: Sendable {
        case subscribe, unsubscribe
        /// Nothing but what there is.
        case look
    }

    package let verb: Verb
    /// A registration token or an installation's id.
    package let token: String
    /// Nil: whatever the sender's is, as with the Instance ID API.
    package let project: String?
    /// Empty where all are meant.
    package let topic: String

    package init(verb: Verb, token: String, project: String?, topic: String = "") {
        self.verb = verb
        self.token = token
        self.project = project
        self.topic = topic
    }

    /// What came of it.
    package enum Outcome: Sendable {
        case done(TopicHolder)
        /// It was so before.
        case already(TopicHolder)
        /// There is no such subscription.
        case missing(TopicHolder)
        /// Nobody's token, or that of an app that is gone.
        case unregistered
        /// Another project's.
        case foreign
        /// As many topics as one may have.
        case tooMany
        /// As many as all may have (ours).
        case full
    }
}

/// A registration as the APIs about topics show it.
package struct TopicHolder: Sendable {
    package let app: String
    package let fid: String
    package let token: String
    package let platform: String
    package let topics: [String: Timestamp]

    package init(app: String, fid: String, token: String, platform: String, topics: [String: Timestamp]) {
        self.app = app
        self.fid = fid
        self.token = token
        self.platform = platform
        self.topics = topics
    }

    /// In the order of their names.
    var names: [String] { topics.keys.sorted() }
}

extension TopicCall {
    package static func isTopic(_ name: String) -> Bool { FCMSyntax.isTopic(name) }

    /// A token that asks for an error, or one that nobody can have; nil: the registry is to be asked.
    var refusal: GoogleError? { FCMMagicToken.error(token) }

    /// The error of an outcome that is one.
    func error(of outcome: Outcome) -> GoogleError? {
        switch outcome {
        case .done, .already, .missing: nil
        case .unregistered: FCMSyntax.isToken(token) || FCMSyntax.isInstallationID(token) ? .unregistered : .badToken
        case .foreign: .senderMismatch
        case .tooMany: .tooManyTopics
        case .full: .topicQuota
        }
    }
}

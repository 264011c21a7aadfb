package import PushCore

/// A request to read or change the topic subscriptions of one registration.
package struct TopicCall: Sendable {
    package enum Verb: Sendable {
        case subscribe, unsubscribe
        /// Reads the subscriptions and changes nothing.
        case read
    }

    package let verb: Verb
    /// A registration token or an installation id.
    package let token: String
    /// Nil for the Instance ID API, whose calls do not name a project.
    package let project: String?
    /// Empty for all topics.
    package let topic: String

    package init(verb: Verb, token: String, project: String?, topic: String = "") {
        self.verb = verb
        self.token = token
        self.project = project
        self.topic = topic
    }

    /// The result of a call.
    package enum Outcome: Sendable {
        case done(TopicRegistration)
        /// The registration was subscribed before.
        case already(TopicRegistration)
        /// The registration was not subscribed.
        case missing(TopicRegistration)
        /// The token is unknown, or its app was uninstalled.
        case unregistered
        /// The token belongs to another project.
        case foreign
        /// The registration has the maximum number of topics.
        case tooMany
        /// The gateway has the maximum number of subscriptions or topics (our limit).
        case full
    }
}

/// A registration as the topic APIs show it.
package struct TopicRegistration: Sendable {
    package let app: String
    package let fid: String
    package let token: String
    package let platform: String
    /// The topics with the time of each subscription.
    package let topics: [String: Timestamp]

    package init(app: String, fid: String, token: String, platform: String, topics: [String: Timestamp]) {
        self.app = app
        self.fid = fid
        self.token = token
        self.platform = platform
        self.topics = topics
    }

    /// The topic names in alphabetical order.
    var names: [String] { topics.keys.sorted() }
}

extension TopicCall {
    package static func isTopic(_ name: String) -> Bool { FCMSyntax.isTopic(name) }

    /// The error that a magic token requests; nil for other tokens.
    var refusal: GoogleError? { FCMMagicToken.error(token) }

    /// The error for a failed outcome; nil for the others.
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

package import FCM
package import HTTPCore
package import PushCore

extension FaultMatch {
    /// A request and the real decision about it.
    package struct Candidate {
        let provider: Provider
        /// Nil for APNs.
        package let service: GoogleService?
        package let app: String
        /// The Firebase project, which `match.app` matches too.
        package let project: String?
        let environment: PushEnvironment?
        let token: String?
        /// The device's other identifier: the installation id if `token` is a registration token, and vice versa.
        let otherToken: String?
        let topic: String?
        /// Whether the request is about a topic or a condition.
        package let isForTopic: Bool
        let pushType: String?
        /// Nil if there is no request.
        let request: Request?
        /// The reason for the refusal. Nil if the request is accepted, and empty if the decision is not known yet.
        package let reason: String?

        package init(
            provider: Provider = .apns, service: GoogleService? = nil, app: String, project: String? = nil,
            environment: PushEnvironment? = nil, token: String? = nil, otherToken: String? = nil, topic: String? = nil,
            isForTopic: Bool = false, pushType: String? = nil, request: Request? = nil, reason: String? = nil
        ) {
            (self.provider, self.service, self.app, self.project) = (provider, service, app, project)
            (self.environment, self.token, self.otherToken, self.topic) = (environment, token, otherToken, topic)
            (self.isForTopic, self.pushType, self.request, self.reason) = (isForTopic, pushType, request, reason)
        }
    }
}

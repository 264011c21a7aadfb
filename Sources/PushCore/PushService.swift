/// A push service that a web push is sent to. Each one has its own endpoints, checks and answers.
package enum PushService: String, CaseIterable, Sendable {
    case google, mozilla, apple
}

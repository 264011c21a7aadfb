package import HTTPCore

/// One push on its way through the gateway: the request, its number, and when it is handled.
package struct PushContext {
    package let request: Request
    /// Every request has a number, whether or not it is a push: the ids in its answer are made from it.
    package let id: PushID
    /// What the request means by APNs.
    package let environment: PushEnvironment
    package let now: Timestamp

    package init(_ request: Request, id: PushID, in environment: PushEnvironment = .production, at now: Timestamp) {
        self.request = request
        self.id = id
        self.environment = environment
        self.now = now
    }

    /// The same push, handled later.
    package func later(at now: Timestamp) -> PushContext { PushContext(request, id: id, in: environment, at: now) }
}

package import HTTPCore

/// One push on its way through the gateway: the request, its number, and when it is handled. It cannot be copied: a copy
/// of the request would cost each push as much as a check.
package struct PushContext: ~Copyable {
    package let request: Request
    /// Every request has a number, whether or not it is a push: the ids in its answer are made from it.
    package var id: PushID
    /// What the request means by APNs.
    package var environment: PushEnvironment
    package let now: Timestamp

    package init(
        _ request: consuming Request, id: PushID = PushID(0), in environment: PushEnvironment = .production,
        at now: Timestamp
    ) {
        self.request = request
        self.id = id
        self.environment = environment
        self.now = now
    }
}

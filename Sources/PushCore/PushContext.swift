package import HTTPCore

/// One push on its way through the gateway: the request, its number, and when it is handled. It cannot be copied,
/// because copying the request for every push would take too long.
package struct PushContext: ~Copyable {
    package let request: Request
    /// The number of the push. Calls about APNs channels get one too, because the ids in their answers are derived from
    /// it. Calls to Google's APIs that send no message get no new number.
    package var id: PushID
    /// The APNs environment that the request is for.
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

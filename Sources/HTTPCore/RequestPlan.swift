/// What the owner makes of a request by its fields alone, before any of its body has come.
package struct RequestPlan: Sendable {
    /// The owner's own number for the part of it that will answer; comes back with the request.
    package let service: UInt8
    /// The longest body it takes.
    package let bodyLimit: Int

    package init(service: UInt8, bodyLimit: Int) {
        self.service = service
        self.bodyLimit = bodyLimit
    }
}

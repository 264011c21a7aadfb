/// The server's decision about a request, made from its header fields before any of the body has arrived.
package struct RequestPlan: Sendable {
    /// The server's number for the service that will answer. It is copied to the request.
    package let service: UInt8
    /// The longest body, in bytes, that the service accepts.
    package let bodyLimit: Int

    package init(service: UInt8, bodyLimit: Int) {
        self.service = service
        self.bodyLimit = bodyLimit
    }
}

/// The server's decision about a request, made from its header fields before any of the body has arrived.
package struct RequestPlan: Sendable {
    package let route: RouteTag
    /// The longest body, in bytes, that the service accepts.
    package let bodyLimit: Int

    package init(route: RouteTag, bodyLimit: Int) {
        self.route = route
        self.bodyLimit = bodyLimit
    }
}

/// What a server's router wants to remember about a request. The server chooses the values; the modules `HTTP1` and
/// `HTTP2` only copy them.
package struct RouteTag: Sendable, Equatable {
    package let value: UInt8

    package init(_ value: UInt8) { self.value = value }
}

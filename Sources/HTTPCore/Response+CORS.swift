/// The fields with which a browser lets the pages of an allowed origin read an answer (CORS).
extension Response {
    /// This answer, for a page of `origin`.
    package func readable(by origin: ArraySlice<UInt8>) -> Response {
        var response = self
        response.headers.append(.allowOrigin, origin)
        response.headers.append(.exposeFields, "*")
        response.headers.append(.vary, "origin")
        return response
    }

    /// Permits the request that a browser asks about. When that request arrives, it is checked like any other.
    package static func permission(for request: Request) -> Response {
        var headers = HeaderBlock()
        headers.append(.allowMethods, request.headers.first(.requestedMethod) ?? [])
        if let fields = request.headers.first(.requestedFields) { headers.append(.allowFields, fields) }
        return Response(status: 204, headers: headers)
    }
}

extension HeaderName {
    package static let requestedMethod = HeaderName("access-control-request-method")
    package static let requestedFields = HeaderName("access-control-request-headers")
    fileprivate static let allowOrigin = HeaderName("access-control-allow-origin")
    fileprivate static let allowMethods = HeaderName("access-control-allow-methods")
    fileprivate static let allowFields = HeaderName("access-control-allow-headers")
    fileprivate static let exposeFields = HeaderName("access-control-expose-headers")
    fileprivate static let vary = HeaderName("vary")
}

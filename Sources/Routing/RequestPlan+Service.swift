package import HTTPCore

extension RequestPlan {
    /// - Parameter isForAllowedPage: whether a web page of an allowed origin sent the request.
    package init(_ service: Service, bodyLimit: Int, isForAllowedPage: Bool = false) {
        self.init(
            route: RouteTag(service.rawValue | (isForAllowedPage ? RouteTag.allowedPage : 0)), bodyLimit: bodyLimit)
    }
}

extension RouteTag {
    /// The bit for requests from web pages of an allowed origin. The other bits are the service.
    fileprivate static let allowedPage: UInt8 = 0x80

    /// Whether a web page of an allowed origin sent the request, so that it must be able to read the answer.
    package var isForAllowedPage: Bool { value & Self.allowedPage != 0 }

    /// The part of the gateway that answers.
    package var service: Service {
        guard let service = Service(rawValue: value & ~Self.allowedPage) else { preconditionFailure("route \(value)") }
        return service
    }
}

internal import HTTPCore
internal import PushEngine

/// Requests of web pages.
extension Gateway {
    /// Refuses a request that a web page may not send. It is counted and logged, but not recorded.
    func refuseStranger(_ request: Request, on connection: Connection) -> Response {
        box.engine.metrics.strangers += 1
        let service = Router.service(for: request.headers, on: connection.facts.role)
        let authority = request.headers.authorityText ?? ""
        let isForeignHost = connection.facts.isLoopback && !authority.isEmpty && !accessPolicy.isOwn(authority)
        let admission = accessPolicy.admission(of: request.headers, to: service, isForeignHost: isForeignHost)
        // The request was refused when its head came. If it is admitted now, new certificates have made its host known
        // in the meantime. It still gets the refusal for an unknown host.
        guard case .refused(let mark) = admission else {
            return AccessPolicy.Refusal(.host(authority)).response(for: service)
        }
        return AccessPolicy.Refusal(mark).response(for: service)
    }
}

extension RequestPlan {
    /// - Parameter isForAllowedPage: whether a web page of an allowed origin sent the request.
    init(_ service: Service, bodyLimit: Int, isForAllowedPage: Bool = false) {
        self.init(
            route: RouteTag(service.rawValue | (isForAllowedPage ? RouteTag.allowedPage : 0)), bodyLimit: bodyLimit)
    }
}

extension RouteTag {
    /// The bit for requests of web pages of an allowed origin. The other bits are the service.
    fileprivate static let allowedPage: UInt8 = 0x80

    /// Whether a web page of an allowed origin sent the request, so that it must be able to read the answer.
    var isForAllowedPage: Bool { value & Self.allowedPage != 0 }

    /// The part of the gateway that answers.
    var service: Service {
        guard let service = Service(rawValue: value & ~Self.allowedPage) else { preconditionFailure("route \(value)") }
        return service
    }
}

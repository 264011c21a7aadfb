internal import HTTPCore
internal import PushCore
internal import PushEngine
internal import Routing

/// Requests from web pages.
extension Gateway {
    /// Refuses a request that a web page may not send. It is counted and logged, but not recorded.
    func refuseForbiddenPage(_ request: Request, on connection: Connection) -> Response {
        box.engine.metrics.forbiddenPages += 1
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

extension Connection {
    /// Plans the requests of this connection.
    func planner(readsURLs: Bool = false) -> RequestPlanner {
        RequestPlanner(
            gateway.accessPolicy, role: facts.role, isLoopback: facts.isLoopback, readsURLs: readsURLs)
    }
}

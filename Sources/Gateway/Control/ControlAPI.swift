internal import HTTPCore
internal import JSON
internal import PushCore

/// The control API: its routes as one table (protocol.md).
enum ControlAPI {
    /// One call: what was asked of which route.
    struct Call {
        let request: Request
        /// What stands in the path where the route has `{…}`.
        let names: [String]
        let gateway: Gateway

        /// Of a route with one.
        var name: String { names[0] }

        /// The body, which has to be JSON.
        func body() throws(ControlProblem) -> JSONView {
            do throws(JSONError) { return try JSONDocument(parsing: request.body).root } catch {
                let sentence = error.sentence(in: request.body)
                throw ControlProblem(status: 400, code: "notJSON", message: "The body is no JSON: \(sentence)", pointer: "")
            }
        }
    }

    typealias Handler = @Sendable (Call) throws(ControlProblem) -> Response

    struct Route: Sendable {
        let method: Method
        /// Below `/api/v1`; `{…}` stands for one piece of the path.
        let path: String
        /// For people.
        let summary: String
        let handle: Handler
    }

    static let routes = faultRoutes + clockRoutes + credentialRoutes + topicRoutes + mediaRoutes + trackingRoutes

    private static let root = "/api/v1"
    static let bodyLimit = 64 << 10

    static func answer(_ request: Request, _ gateway: Gateway) -> Response {
        do throws(ControlProblem) { return try find(request, gateway) } catch { return error.response }
    }

    private static func find(_ request: Request, _ gateway: Gateway) throws(ControlProblem) -> Response {
        let path = String(decoding: request.path, as: UTF8.self)
        guard path.hasPrefix(root) else {
            throw ControlProblem(status: 501, code: "notImplemented", message: "This page is not there yet.")
        }
        let matching = routes.compactMap { route in
            match(route.path, String(path.dropFirst(root.count))).map { (route: route, names: $0) }
        }
        if matching.isEmpty { throw .missing("\(path) is no call of this API.") }
        guard let found = matching.first(where: { $0.route.method == request.method }) else {
            let allowed = matching.map(\.route.method.rawValue).joined(separator: ", ")
            let problem = ControlProblem(
                status: 405, code: "wrongMethod", message: "\(request.method.rawValue) \(path) is no call; send \(allowed).")
            var response = problem.response
            response.headers.append(.allow, allowed)
            return response
        }
        guard request.body.count <= bodyLimit else {
            throw ControlProblem(status: 413, code: "tooLong", message: "A body has \(bodyLimit) octets at most.")
        }
        return try found.route.handle(Call(request: request, names: found.names, gateway: gateway))
    }

    /// The pieces of the path that the pattern leaves open; nil where they differ.
    private static func match(_ pattern: String, _ path: String) -> [String]? {
        let (wanted, found) = (pattern.split(separator: "/"), path.split(separator: "/"))
        guard wanted.count == found.count else { return nil }
        var names: [String] = []
        for (piece, text) in zip(wanted, found) {
            if piece.hasPrefix("{") { names.append(String(text)) } else if piece != text { return nil }
        }
        return names
    }
}

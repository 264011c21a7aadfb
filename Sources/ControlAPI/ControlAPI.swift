internal import FCM
package import HTTPCore
internal import JSON
package import PushCore
internal import PushEngine

/// The control API (docs/api.md): one table of routes, which also generates `/openapi.json` and `/docs`.
package enum ControlAPI {
    /// One request to a route.
    struct Call {
        let request: Request
        /// The values of the path parameters `{…}`, in order, percent-decoded.
        let pathValues: [String]
        let host: any ControlHost
        let query: QueryReader

        /// The only path parameter, on routes that have one.
        var name: String { pathValues[0] }

        /// The body, parsed as JSON.
        func body() throws(ControlProblem) -> JSONView {
            do throws(JSONError) { return try JSONDocument(parsing: request.body).root } catch {
                let sentence = error.sentence(in: request.body)
                throw ControlProblem(
                    status: 400, code: "notJSON", message: "The body is not valid JSON: \(sentence)", pointer: "")
            }
        }

        var now: Timestamp { host.now }
    }

    /// The result of a call.
    package enum Reply {
        case answer(Response)
        /// The answer comes later (see `DeferredReply`).
        case deferred(DeferredReply)
    }

    package struct Route: Sendable {
        let method: Method
        /// The path below `/api/v1`; `{…}` matches one path segment.
        let path: String
        /// Shown in `/docs` and the OpenAPI document.
        let summary: String
        var query: [Schema.Member] = []
        var body: Schema?
        var isBodyOptional = false
        /// The statuses of answers that are not errors, each with the schema of its body; nil if it has no body.
        var answers: [(status: Int, schema: Schema?)]
        /// The content types of the answer.
        var contentTypes = ["application/json"]
        let handle: @Sendable (Call) throws(ControlProblem) -> Reply

        init(
            _ method: Method, _ path: String, _ summary: String, query: [Schema.Member] = [], body: Schema? = nil,
            answers: [(status: Int, schema: Schema?)],
            contentTypes: [String] = ["application/json"],
            reply: @escaping @Sendable (Call) throws(ControlProblem) -> Reply
        ) {
            self.method = method
            self.path = path
            self.summary = summary
            self.query = query
            self.body = body
            self.answers = answers
            self.contentTypes = contentTypes
            handle = reply
        }

        /// A route that always answers immediately.
        init(
            _ method: Method, _ path: String, _ summary: String, query: [Schema.Member] = [], body: Schema? = nil,
            answers: [(status: Int, schema: Schema?)],
            contentTypes: [String] = ["application/json"],
            handle: @escaping @Sendable (Call) throws(ControlProblem) -> Response
        ) {
            self.init(method, path, summary, query: query, body: body, answers: answers, contentTypes: contentTypes) {
                (call) throws(ControlProblem) in
                .answer(try handle(call))
            }
        }

        var withOptionalBody: Route {
            var route = self
            route.isBodyOptional = true
            return route
        }
    }

    static let routes =
        messageRoutes + sendRoutes + expectRoutes + deviceRoutes + topicRoutes + mediaRoutes + trackingRoutes
        + faultRoutes
        + scenarioRoutes + clockRoutes + checkRoutes + inspectRoutes + schemaRoutes
        + adminRoutes + originRoutes + credentialRoutes + eventRoutes

    static let root = WireNames.controlRoot
    package static let bodyLimit = 64 << 10
    package static let tooLong = ControlProblem(
        status: 413, code: "tooLong", message: "The body is longer than \(bodyLimit) bytes.")

    /// - Parameter startsSlicedCall: whether a call that is done in slices may begin now. False if the client waits for another one.
    package static func reply(to request: Request, _ host: any ControlHost, startsSlicedCall: Bool = true) -> Reply {
        do throws(ControlProblem) {
            let reply = try find(request, host)
            // A sliced call that needs only one slice is answered at once.
            if startsSlicedCall, case .deferred(.query(let query)) = reply, !host.isTurnOver {
                return query.advance(host) ?? reply
            }
            return reply
        } catch { return .answer(error.response) }
    }

    private static func find(_ request: Request, _ host: any ControlHost) throws(ControlProblem) -> Reply {
        let path = String(decoding: request.path, as: UTF8.self)
        let matching = routes.compactMap { route in
            match(route.path, String(path.dropFirst(root.count))).map { (route: route, pathValues: $0) }
        }
        if matching.isEmpty { throw .missing("\(path) does not exist in this API. See \(OpenAPI.pagePath).") }
        guard let found = matching.first(where: { $0.route.method == request.method }) else {
            let allowed = matching.map(\.route.method.rawValue).joined(separator: ", ")
            let problem = ControlProblem(
                status: 405, code: "wrongMethod",
                message:
                    "\(request.method == .other ? "That method" : request.method.rawValue) is not allowed on \(path). Use \(allowed)."
            )
            var response = problem.response
            response.headers.append(.allow, allowed)
            return .answer(response)
        }
        guard request.body.count <= bodyLimit else { throw tooLong }
        let call = Call(request: request, pathValues: found.pathValues, host: host, query: QueryReader(request))
        try call.query.check(found.route.query.map(\.name))
        return try found.route.handle(call)
    }

    /// The values of the pattern's parameters; nil if the path does not match.
    private static func match(_ pattern: String, _ path: String) -> [String]? {
        let (wanted, found) = (pattern.split(separator: "/"), path.split(separator: "/"))
        guard wanted.count == found.count else { return nil }
        var names: [String] = []
        for (piece, text) in zip(wanted, found) {
            if piece.hasPrefix("{") {
                names.append(PercentCode.decode(text.utf8, isForm: false))
            } else if piece != text {
                return nil
            }
        }
        return names
    }
}

extension Schema.Member {
    static let limit = Schema.member("limit", .integer(1...1000), "The largest number of items to return. Default: 50.")
    static let cursor = Schema.member("cursor", .cursor, "The value of 'next' on the previous page.")
    static let next = Schema.member("next", .nullable(.cursor), required: true)
    static let app = Schema.member("app", .text(), "Only this app or project.")
}

internal import HTTPCore
internal import JSON
internal import PushCore

/// Web pages that may use the gateway.
extension ControlAPI {
    static let originRoutes: [Route] = [
        Route(
            .get, "/origins", "List the origins of web pages that may use the gateway.",
            answers: [(200, .object([Schema.member("origins", .list(.text()), required: true)]))], handle: listOrigins),
        Route(
            .post, "/origins",
            "Let web pages of an origin use the gateway until it ends, as the option --allow-origin does.",
            body: .object([originMember]),
            answers: [(201, .object([originMember])), (200, .object([originMember]))], handle: addOrigin),
        Route(
            .delete, "/origins", "Stop allowing the web pages of an origin.", query: [originMember],
            answers: [(204, nil)], handle: removeOrigin),
    ]

    private static let originMember = Schema.member(
        "origin", .text(1...300), required: true, "Scheme, host and port, such as http://localhost:3000.")

    private static let mostOrigins = 100

    private static func listOrigins(_ call: Call) -> Response {
        .json { json in
            json.key("origins")
            json.array { json in
                for origin in call.host.allowedOrigins { json.value(origin.description) }
            }
        }
    }

    private static func addOrigin(_ call: Call) throws(ControlProblem) -> Response {
        var fields = try FieldReader(try call.body(), at: "")
        let text = try fields.string("origin")
        try fields.end()
        guard let text, let origin = WebOrigin(parsing: text) else {
            throw fields.problem(
                "origin", "must be the scheme, host and port of a page, such as http://localhost:3000")
        }
        let isNew = !call.host.allowedOrigins.contains(origin)
        if isNew {
            guard call.host.allowedOrigins.count < mostOrigins else {
                throw ControlProblem(
                    status: 409, code: "tooManyOrigins",
                    message: "\(mostOrigins) origins are allowed already. They are forgotten when the gateway ends.")
            }
            call.host.allowedOrigins.append(origin)
        }
        return .json(status: isNew ? 201 : 200) { $0.member("origin", origin.description) }
    }

    private static func removeOrigin(_ call: Call) throws(ControlProblem) -> Response {
        let text = call.query.text("origin")
        guard let origin = text.flatMap(WebOrigin.init) else {
            throw QueryReader.bad(
                "'origin' must be the scheme, host and port of a page, such as http://localhost:3000; it is "
                    + "\(text?.quoted ?? "missing").")
        }
        guard let index = call.host.allowedOrigins.firstIndex(of: origin) else {
            throw ControlProblem(
                status: 404, code: "notFound", message: "The origin \(origin) is not in the list of allowed origins.")
        }
        call.host.allowedOrigins.remove(at: index)
        return Response(status: 204)
    }
}

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
            body: .object([originMember]), answers: [(201, .object([originMember]))], handle: addOrigin),
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
        if !call.host.allowedOrigins.contains(origin) {
            guard call.host.allowedOrigins.count < mostOrigins else {
                throw ControlProblem(
                    status: 409, code: "tooManyOrigins",
                    message: "\(mostOrigins) origins are allowed already. They are forgotten when the gateway ends.")
            }
            call.host.allowedOrigins.append(origin)
        }
        return .json(status: 201) { $0.member("origin", origin.description) }
    }
}

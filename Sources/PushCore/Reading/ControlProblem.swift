package import HTTPCore
package import JSON

/// Why a call to the control API is refused (docs/api.md).
package struct ControlProblem: Error, Equatable {
    package let status: Int
    package let code: String
    package let message: String
    /// A JSON pointer to the invalid member of the body.
    package var pointer: String?

    package init(status: Int, code: String, message: String, pointer: String? = nil) {
        self.status = status
        self.code = code
        self.message = message
        self.pointer = pointer
    }

    package static func bad(_ message: String, at pointer: String) -> ControlProblem {
        ControlProblem(status: 400, code: "badField", message: message, pointer: pointer)
    }

    package static func missing(_ what: String) -> ControlProblem {
        ControlProblem(status: 404, code: "notFound", message: what)
    }

    package var response: Response {
        var json = JSONWriter()
        json.object { json in
            json.key("error")
            json.object { json in
                json.member("code", code)
                json.member("message", message)
                if let pointer { json.member("pointer", pointer) }
            }
        }
        return .json(json.finish(), status: status)
    }
}

extension Response {
    package static func json(_ bytes: [UInt8], status: Int = 200) -> Response {
        Response(status: status, headers: HeaderBlock([.contentType: "application/json"]), body: .bytes(bytes))
    }

    /// An object with the members that `body` writes.
    package static func json(status: Int = 200, _ body: (inout JSONWriter) -> Void) -> Response {
        var json = JSONWriter()
        json.object(body)
        return .json(json.finish(), status: status)
    }
}

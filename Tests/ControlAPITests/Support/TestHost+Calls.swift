import HTTPCore
import JSON
import Testing

@testable import ControlAPI

/// Calls of the control API. Every answer is compared with what the OpenAPI document says about its route.
extension TestHost {
    struct Answer {
        let status: Int
        let headers: HeaderBlock
        let bytes: [UInt8]

        init(_ response: Response) {
            (status, headers) = (response.status, response.headers)
            if case .bytes(let bytes) = response.body { self.bytes = bytes } else { bytes = [] }
        }

        var text: String { String(decoding: bytes, as: UTF8.self) }
        var contentType: String? { header("content-type") }
        func header(_ name: String) -> String? {
            headers.first(HeaderName(name)).map { String(decoding: $0, as: UTF8.self) }
        }
        func json() throws -> JSONValue { try JSONValue(parsing: bytes) }
    }

    struct Problem: Equatable {
        let status: Int
        let code: String
        /// Nil if the problem is not in the body.
        let pointer: String?
        var message = ""

        static func == (one: Problem, other: Problem) -> Bool {
            (one.status, one.code, one.pointer) == (other.status, other.code, other.pointer)
        }
    }

    static func request(_ method: Method, _ target: String, _ body: [UInt8], _ fields: [(String, String)]) -> Request {
        var headers = HeaderBlock([.method: method.rawValue, .path: target])
        for (name, value) in fields { headers.append(HeaderName(name), value) }
        var request = Request(version: .http11, headers: headers)
        request.body = body
        return request
    }

    /// - Parameter path: below `/api/v1`, with the query.
    func reply(_ method: Method, _ path: String, raw body: [UInt8] = [], _ fields: [(String, String)] = [])
        -> ControlAPI.Reply
    {
        var reply = ControlAPI.reply(to: Self.request(method, ControlAPI.root + path, body, fields), self)
        while case .deferred(.query(let query)) = reply { reply = query.advance(self) ?? reply }
        if case .answer(let response) = reply { expectDocumented(Answer(response), method, path) }
        return reply
    }

    /// A call that has to be answered at once.
    func call(_ method: Method, _ path: String, raw body: [UInt8], _ fields: [(String, String)] = []) throws -> Answer {
        guard case .answer(let response) = reply(method, path, raw: body, fields) else {
            throw Unexpected("\(method.rawValue) \(path) is deferred")
        }
        return Answer(response)
    }

    func call(_ method: Method, _ path: String, _ body: JSONValue? = nil) throws -> Answer {
        try call(method, path, raw: body?.bytes ?? [])
    }

    /// The JSON of an answer that must have this status; null without a body.
    @discardableResult
    func ask(
        _ method: Method, _ path: String, _ body: JSONValue? = nil, status: Int = 200,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> JSONValue {
        let answer = try call(method, path, body)
        guard answer.status == status else {
            throw Unexpected("\(method.rawValue) \(path): \(answer.status) \(answer.text.prefix(500))")
        }
        if answer.bytes.isEmpty { return .null }
        #expect(answer.contentType == "application/json", sourceLocation: sourceLocation)
        return try answer.json()
    }

    func problem(_ method: Method, _ path: String, _ body: JSONValue? = nil) throws -> Problem {
        try problem(method, path, raw: body?.bytes ?? [])
    }

    /// How a call is refused.
    func problem(_ method: Method, _ path: String, raw body: [UInt8]) throws -> Problem {
        let answer = try call(method, path, raw: body)
        let error = try answer.json()["error"] ?? .null
        guard error.keys.isSubset(of: ["code", "message", "pointer"]), let code = error["code"]?.text,
            let message = error["message"]?.text, !message.isEmpty
        else { throw Unexpected("\(method.rawValue) \(path): \(answer.status) \(answer.text) is no problem") }
        return Problem(status: answer.status, code: code, pointer: error["pointer"]?.text, message: message)
    }

    /// A refusal has the shape of every problem; any other answer has a documented status, type and shape.
    private func expectDocumented(_ answer: Answer, _ method: Method, _ path: String) {
        let known = ControlAPI.routes.first { $0.method == method && Self.matches($0.path, path) }
        let call = "\(method.rawValue) \(path): \(answer.status)"
        guard let route = known, let documented = route.answers.first(where: { $0.status == answer.status }) else {
            #expect((400...499).contains(answer.status), "\(call) is not documented")
            return expect(answer, matches: .named("Problem"), call)
        }
        guard let schema = documented.schema else {
            #expect(answer.bytes.isEmpty && answer.contentType == nil, "\(call) has a body")
            return
        }
        let type = answer.contentType ?? ""
        let isKnown = route.contentTypes.contains { $0 == type || $0.hasSuffix("/*") && type.hasPrefix($0.dropLast()) }
        #expect(isKnown, "\(call) has the type \(answer.headers)")
        if answer.contentType == "application/json" { expect(answer, matches: schema, call) }
    }

    private func expect(_ answer: Answer, matches schema: Schema, _ call: String) {
        guard let json = try? answer.json() else {
            Issue.record("\(call) is not JSON: \(answer.text)")
            return
        }
        let mismatch = schema.mismatch(json)
        #expect(mismatch == nil, "\(call) \(answer.text.prefix(500))")
    }

    static func matches(_ pattern: String, _ path: String) -> Bool {
        let wanted = pattern.split(separator: "/")
        let found = path.prefix { $0 != "?" }.split(separator: "/")
        return wanted.count == found.count && zip(wanted, found).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
    }
}

/// Something that a test could not go on with.
struct Unexpected: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

internal import HTTPCore
internal import JSON
package import PushCore
internal import PushEngine

/// What a new gateway begins with: devices, topics, faults, media and a clock. Each is given as the API takes it, and goes
/// through the same routes.
package struct Seed {
    /// A call to the API. The pointer says which part of the file it is made from.
    private struct Call {
        let method: HTTPCore.Method
        let path: String
        let body: [UInt8]
        let pointer: String
    }

    /// In the order in which they are made. The clock is set first, because everything else is recorded with its time.
    private var calls: [Call] = []

    package init(_ bytes: [UInt8]) throws(ControlProblem) {
        let root: JSONView
        do throws(JSONError) { root = try JSONDocument(parsing: bytes).root } catch {
            throw .bad("The file is not valid JSON: \(error.sentence(in: bytes))", at: "")
        }
        var fields = try FieldReader(root, at: "")
        if let clock = fields.value("clock") { add(.post, "/clock", clock, at: "/clock") }
        try add(.post, "devices", &fields)
        if let topics = fields.value("topics") { try addTopics(topics) }
        try add(.post, "faults", &fields)
        try add(.put, "media", &fields)
        try fields.end()
    }

    /// Adds a call for each element of a list.
    private mutating func add(
        _ method: HTTPCore.Method, _ name: String, _ fields: inout FieldReader
    ) throws(ControlProblem) {
        guard let list = fields.value(name) else { return }
        guard list.kind == .array else { throw fields.problem(name, "must be a list") }
        for (index, element) in list.elements.enumerated() {
            add(method, "/\(name)", element, at: "/\(name)/\(index)")
        }
    }

    private mutating func addTopics(_ topics: JSONView) throws(ControlProblem) {
        guard topics.kind == .object else {
            throw .bad(
                "'topics' must be an object of names and lists of devices, like {\"news\":[\"phone\"]}.", at: "/topics")
        }
        for (key, devices) in topics.members {
            let (name, pointer) = (key.string ?? "", "/topics\(FieldReader.escaped(key.string ?? ""))")
            guard devices.kind == .array else {
                throw .bad("A topic must have a list of the ids of devices.", at: pointer)
            }
            for (index, device) in devices.elements.enumerated() {
                guard let id = device.string else {
                    throw .bad(
                        "The id of a device must be a string; it is \(device.briefly).", at: "\(pointer)/\(index)")
                }
                let path = "/topics/\(Self.encoded(name))/devices/\(Self.encoded(id))"
                calls.append(Call(method: .put, path: path, body: [], pointer: "\(pointer)/\(index)"))
            }
        }
    }

    private mutating func add(_ method: HTTPCore.Method, _ path: String, _ body: JSONView, at pointer: String) {
        calls.append(Call(method: method, path: path, body: Array(body.source), pointer: pointer))
    }

    /// One segment of a path, percent-encoded.
    private static func encoded(_ text: String) -> String {
        text.utf8.map { isUnreserved($0) ? String(UnicodeScalar($0)) : "%" + Hex.encode([$0]) }.joined()
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        0x30...0x39 ~= byte || 0x61...0x7A ~= byte | 0x20 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }

    /// Makes the calls. The first error ends it; what was made before stays.
    package func apply(to host: any ControlHost) throws(ControlProblem) {
        for call in calls {
            let response = Self.answer(to: Self.request(call.method, call.path, call.body), host)
            guard response.status >= 400 else { continue }
            throw Self.problem(in: response, under: call.pointer)
        }
    }

    /// - Parameter path: below the root of the API.
    static func request(_ method: HTTPCore.Method, _ path: String, _ body: [UInt8]) -> Request {
        let headers = HeaderBlock([.method: method.rawValue, .path: "\(ControlAPI.root)\(path)"])
        var request = Request(version: .http2, headers: headers)
        request.body = body
        return request
    }

    /// The answer, once the call is done, which may take several turns.
    static func answer(to request: Request, _ host: any ControlHost) -> Response {
        var reply = ControlAPI.reply(to: request, host)
        while true {
            switch reply {
            case .answer(let response): return response
            case .deferred(.query(let query)): reply = query.advance(host) ?? reply
            case .deferred(.expect), .deferred(.events), .deferred(.file):
                preconditionFailure("no call of a seed waits for an event")
            }
        }
    }

    static func problem(in response: Response, under pointer: String) -> ControlProblem {
        guard case .bytes(let body) = response.body, let error = (try? JSONDocument(parsing: body))?.root["error"]
        else {
            return .bad("The answer was \(response.status).", at: pointer)
        }
        return ControlProblem(
            status: response.status, code: error["code"]?.string ?? "", message: error["message"]?.string ?? "",
            pointer: "\(pointer)\(error["pointer"]?.string ?? "")")
    }
}

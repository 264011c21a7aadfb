internal import ControlAPI
internal import JSON
internal import PushCore
internal import PushEngine

/// The file of `--expect`: a list of what `POST /expect` takes.
struct ExpectationFile {
    let path: String
    let expectations: [Item]

    struct Item: Equatable {
        /// The body for `POST /expect`.
        let body: [UInt8]
        /// How long the gateway may wait, in milliseconds.
        let within: UInt64
    }

    /// The command has ended, so an expectation waits only if it says so.
    private static let noWait = "0s"

    init(_ path: String, _ bytes: [UInt8]) throws(ExitFailure) {
        self.path = path
        let root: JSONView
        do throws(JSONError) { root = try JSONDocument(parsing: bytes).root } catch {
            throw Self.problem(path, "is not JSON: \(error)")
        }
        guard root.kind == .array else {
            throw Self.problem(path, "must be a list of expectations, like [{\"match\":{\"app\":\"com.example.app\"}}]")
        }
        var items: [Item] = []
        for element in root.elements {
            do throws(ControlProblem) { items.append(try Self.item(element)) } catch {
                let place = error.pointer.flatMap { $0.isEmpty ? nil : " at \($0)" } ?? ""
                throw Self.problem(path, "cannot be used: expectation \(items.count &+ 1)\(place): \(error.message)")
            }
        }
        expectations = items
    }

    private static func item(_ json: JSONView) throws(ControlProblem) -> Item {
        let within = try ControlAPI.expectation(json).within
        let waits = json["within"].map { !$0.isNull } ?? false
        var body = JSONWriter()
        body.object { body in
            for (key, value) in json.members {
                guard let key = key.string, waits || key != "within" else { continue }
                body.member(key, value)
            }
            if !waits { body.member("within", noWait) }
        }
        return Item(body: body.finish(), within: waits ? within : 0)
    }

    private static func problem(_ path: String, _ text: String) -> ExitFailure {
        ExitFailure(code: 65, message: "--expect \(path.onOneLine) \(text)")
    }

    /// What to print about the expectations that are not met.
    ///
    /// - Parameter ask: sends a body to `POST /expect`, and returns the answer.
    func unmet(_ ask: (Item) throws(ExitFailure) -> (status: Int, body: [UInt8])) throws(ExitFailure) -> [String] {
        var lines: [String] = []
        for (index, item) in expectations.enumerated() {
            let answer = try ask(item)
            guard let failure = Expect.result(answer.status, answer.body, isJSON: false).failure else { continue }
            lines.append("pushpit: expectation \(index &+ 1) of \(path): \(failure.message ?? "")")
            lines += failure.details.map { "  \($0)" }
        }
        return lines
    }
}

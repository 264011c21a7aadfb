internal import ControlAPI
internal import EventLoop
internal import JSON
internal import PushCore
internal import PushEngine
internal import RuleTables

/// The file of `--expect`: a list of what `POST /expect` takes.
struct ExpectationFile {
    let path: String
    let expectations: [Item]

    struct Item {
        /// As the file has it.
        let json: JSONView
        /// How long the gateway may wait, in milliseconds.
        let within: UInt64

        private static let rules = RuleBook.all.map(\.id.description)

        init(_ json: JSONView) throws(ControlProblem) {
            self.json = json
            if let name = Self.value(json, "name"), name.string == nil {
                throw ControlProblem.bad("'name' must be a string.", at: "/name")
            }
            let longest = try ControlAPI.expectation(try Self.nameless(json), rules: Self.rules).within
            // The command has ended, so an expectation waits only if it says so.
            within = Self.value(json, "within") == nil ? 0 : longest
        }

        /// The expectation as the gateway takes it. A name is only for people.
        private static func nameless(_ json: JSONView) throws(ControlProblem) -> JSONView {
            guard json["name"] != nil else { return json }
            var body = JSONWriter()
            body.object { body in
                for (key, value) in json.members where key.string != "name" { body.member(key.string ?? "", value) }
            }
            return (try? JSONDocument(parsing: body.finish()))?.root ?? json
        }

        /// The body for `POST /expect`.
        ///
        /// - Parameters:
        ///   - since: the number of an event: only what came later counts, unless the expectation says otherwise.
        ///   - left: how many milliseconds the gateway may wait.
        func body(since: UInt64?, waiting left: UInt64) -> [UInt8] {
            let sequence = Self.value(json, "sequence")
            let filters = sequence == nil ? "match" : "sequence"
            var body = JSONWriter()
            body.object { body in
                for (key, value) in json.members {
                    guard let key = key.string, key != "name", key != "within", since == nil || key != filters
                    else {
                        continue
                    }
                    body.member(key, value)
                }
                if let since {
                    body.key(filters)
                    if let sequence {
                        body.array { body in
                            for filter in sequence.elements { Self.write(filter, since: since, to: &body) }
                        }
                    } else {
                        Self.write(Self.value(json, "match"), since: since, to: &body)
                    }
                }
                body.member("within", DurationText.text(left))
            }
            return body.finish()
        }

        private static func write(_ match: JSONView?, since: UInt64, to body: inout JSONWriter) {
            body.object { body in
                for (key, value) in match?.members.map(\.self) ?? [] { body.member(key.string ?? "", value) }
                if match.flatMap({ value($0, "since") }) == nil { body.member("since", since) }
            }
        }

        /// The value of a member; nil if it is missing or null.
        private static func value(_ json: JSONView, _ key: String) -> JSONView? {
            json[key].flatMap { $0.isNull ? nil : $0 }
        }
    }

    init(_ path: String, _ bytes: [UInt8]) throws(ExitFailure) {
        self.path = path
        let root: JSONView
        do throws(JSONError) { root = try JSONDocument(parsing: bytes).root } catch {
            throw Self.problem(path, "is not JSON: \(error.sentence(in: bytes))")
        }
        guard root.kind == .array else {
            throw Self.problem(path, "must be a list of expectations, like [{\"match\":{\"app\":\"com.example.app\"}}]")
        }
        var items: [Item] = []
        if root.count == 0 {
            throw Self.problem(path, "has no expectations, so nothing would be checked: leave the option out")
        }
        for element in root.elements {
            do throws(ControlProblem) { items.append(try Item(element)) } catch {
                let place = error.pointer.flatMap { $0.isEmpty ? nil : " at \($0)" } ?? ""
                throw Self.problem(path, "cannot be used: expectation \(items.count &+ 1)\(place): \(error.message)")
            }
        }
        expectations = items
    }

    private static func problem(_ path: String, _ text: String) -> ExitFailure {
        ExitFailure(code: 65, message: "--expect \(path.onOneLine) \(text)")
    }

    /// What the gateway says about each expectation. They all wait from the start of this call.
    ///
    /// - Parameters:
    ///   - ask: sends an expectation to `POST /expect`, which may wait for this number of milliseconds; returns the answer.
    ///   - found: is called with each result.
    func check(
        _ ask: (Item, UInt64) throws(ExitFailure) -> (status: Int, body: [UInt8]),
        found: (ExpectationResult) throws(ExitFailure) -> Void
    ) throws(ExitFailure) {
        let start = EventLoop.nanoseconds
        for item in expectations {
            let passed = (EventLoop.nanoseconds &- start) / 1_000_000
            let answer = try ask(item, item.within &- min(item.within, passed))
            try found(
                ExpectationResult(
                    expectation: item.json,
                    failure: Expect.result(answer.status, answer.body, isJSON: false).failure,
                    answer: (try? JSONDocument(parsing: answer.body))?.root))
        }
    }

    private static let longestLabel = 300

    /// What to print about the expectations that are not met.
    func lines(_ results: [ExpectationResult]) -> [String] {
        results.enumerated().flatMap { index, result in
            guard let failure = result.failure else { return [String]() }
            let name = result.name.map { " (\($0.onOneLine))" } ?? ""
            return [
                "pushpit: expectation \(index &+ 1)\(name) of \(path): \(failure.message ?? "")",
                "  expected: \(result.label(Self.longestLabel).onOneLine)",
            ] + failure.details.map { "  \($0)" }
        }
    }
}

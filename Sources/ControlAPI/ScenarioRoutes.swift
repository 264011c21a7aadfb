internal import Faults
internal import HTTPCore
internal import JSON
internal import PushCore
internal import PushEngine

extension ControlAPI {
    static let scenarioRoutes: [Route] = [
        Route(
            .get, "/scenarios",
            "List the scenarios. Each one reproduces an incident that others have reported.",
            query: [.limit, .cursor],
            answers: [(200, .page("scenarios", .named("Scenario")))],
            handle: listScenarios),
        Route(
            .post, "/scenarios/{name}", "Add the faults of a scenario. With app: only for this app or project.",
            body: .object([Schema.notNull(Schema.member("app", .text()))]),
            answers: [(201, .named("Scenario"))], handle: setScenario
        ).withOptionalBody,
        Route(
            .delete, "/scenarios/{name}", "Remove the faults of a scenario.", answers: [(204, nil)],
            handle: removeScenario),
    ]

    private static func listScenarios(_ call: Call) throws(ControlProblem) -> Response {
        let page = try call.query.page()
        return .json { json in
            json.key("scenarios")
            json.array { json in
                for scenario in page.slice(of: Scenario.all) {
                    write(scenario, call.host, to: &json)
                }
            }
            json.member("next", page.next(of: Scenario.all.count))
        }
    }

    private static func find(_ call: Call) throws(ControlProblem) -> Scenario {
        guard let scenario = Scenario.all.first(where: { $0.name == call.name }) else {
            throw .missing(
                "The scenario '\(call.name.prefix(100))' does not exist. Use one of \(Scenario.all.map(\.name).joined(separator: ", "))."
            )
        }
        return scenario
    }

    private static func setScenario(_ call: Call) throws(ControlProblem) -> Response {
        let scenario = try find(call)
        let app = try optionalApp(call)
        let sources = scenario.faults.map { narrowed($0, to: app) }
        let isSet = call.host.box.engine.faults.faults.contains { fault in
            fault.scenario == scenario.name && sources.contains(fault.source) && fault.state(at: call.now) == .active
        }
        guard !isSet else {
            throw ControlProblem(
                status: 409, code: "conflict",
                message:
                    "The scenario '\(scenario.name)' is already set. DELETE /api/v1/scenarios/\(scenario.name) removes it."
            )
        }
        guard call.host.box.engine.faults.hasRoom(for: scenario.faults.count) else { throw FaultBook.full }
        for source in sources {
            guard let fault = (try? JSONDocument(parsing: source))?.root else {
                preconditionFailure("the scenario \(scenario.name) is not valid JSON")
            }
            let seed = call.host.box.engine.random.next() >> 32
            _ = try call.host.box.engine.faults.add(fault, of: scenario.name, at: call.now, seed: seed)
        }
        var json = JSONWriter()
        write(scenario, call.host, to: &json)
        return .json(json.finish(), status: 201)
    }

    /// The optional member `app` of an optional body.
    static func optionalApp(_ call: Call) throws(ControlProblem) -> String? {
        if call.request.body.isEmpty { return nil }
        var fields = try FieldReader(try call.body(), at: "")
        let app = try narrowing("app", orAll: "apps", &fields)
        try fields.end()
        return app
    }

    /// An optional member that narrows a call. It must not be null, because an accidental null would mean "all".
    static func narrowing(
        _ key: String, orAll all: String, _ fields: inout FieldReader
    ) throws(ControlProblem) -> String? {
        if fields.kind(of: key) == .null {
            throw fields.problem(key, "must not be null. Leave it out to mean all \(all)")
        }
        return try fields.string(key)
    }

    /// The fault with `app` added to its match. Every fault of a scenario starts with `match`.
    private static func narrowed(_ spec: String, to app: String?) -> [UInt8] {
        guard let app else { return Array(spec.utf8) }
        var json = JSONWriter()
        json.string(app)
        let start = #"{"match":{"#
        return Array(start.utf8) + Array("\"app\":".utf8) + json.finish() + Array(",".utf8)
            + Array(spec.dropFirst(start.count).utf8)
    }

    private static func removeScenario(_ call: Call) throws(ControlProblem) -> Response {
        let scenario = try find(call)
        call.host.box.engine.faults.removeAll { $0.scenario == scenario.name }
        return Response(status: 204)
    }

    private static func write(_ scenario: Scenario, _ host: any ControlHost, to json: inout JSONWriter) {
        json.object { json in
            json.member("name", scenario.name)
            json.member("meaning", scenario.meaning)
            json.member("source", scenario.source)
            json.key("faults")
            json.array { json in for fault in scenario.faults { json.raw(fault.utf8) } }
            json.member("set", host.box.engine.faults.faults.filter { $0.scenario == scenario.name }.map(\.id))
        }
    }
}

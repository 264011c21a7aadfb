internal import Faults
internal import HTTPCore
internal import JSON
internal import PushCore
internal import PushEngine

extension ControlAPI {
    static let faultRoutes: [Route] = [
        Route(
            .post, "/faults", "Add a fault.", body: .named("FaultSpec"), answers: [(201, .named("Fault"))],
            handle: setFault),
        Route(
            .get, "/faults", "List all faults, including those used up or expired.", query: [.limit, .cursor],
            answers: [(200, .page("faults", .named("Fault")))], handle: listFaults),
        Route(.delete, "/faults", "Remove every fault.", answers: [(204, nil)], handle: removeFaults),
        Route(.delete, "/faults/{id}", "Remove a fault.", answers: [(204, nil)], handle: removeFault),
    ]

    private static func setFault(_ call: Call) throws(ControlProblem) -> Response {
        let seed = call.host.box.engine.random.next() >> 32
        let fault = try call.host.box.engine.faults.add(try call.body(), at: call.now, seed: seed)
        return .json(status: 201) { write(fault, at: call.now, to: &$0) }
    }

    private static func listFaults(_ call: Call) throws(ControlProblem) -> Response {
        let page = try call.query.page()
        let faults = call.host.box.engine.faults.faults
        return .json { json in
            json.key("faults")
            json.array { json in
                for fault in page.slice(of: faults) { json.object { write(fault, at: call.now, to: &$0) } }
            }
            json.member("next", page.next(of: faults.count))
        }
    }

    private static func removeFaults(_ call: Call) throws(ControlProblem) -> Response {
        call.host.box.engine.faults.removeAll()
        return Response(status: 204)
    }

    private static func removeFault(_ call: Call) throws(ControlProblem) -> Response {
        guard call.host.box.engine.faults.remove(call.name) else {
            throw .missing("The fault '\(call.name)' does not exist.")
        }
        return Response(status: 204)
    }

    /// The members of the request, plus the id, the seed, the state and the counters.
    private static func write(_ fault: Fault, at now: Timestamp, to json: inout JSONWriter) {
        json.member("id", fault.id)
        guard let source = try? JSONDocument(parsing: fault.source).root else { return }
        for (key, value) in source.members where !value.isNull { json.member(key.string ?? "", value) }
        if source["seed"]?.isNull ?? true { json.member("seed", fault.seed) }
        if let scenario = fault.scenario { json.member("scenario", scenario) }
        json.member("state", fault.state(at: now).rawValue)
        json.member("seen", fault.seen)
        json.member("fired", fault.fired)
    }
}

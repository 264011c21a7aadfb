internal import HTTPCore
internal import JSON
internal import PushCore

extension ControlAPI {
    static let faultRoutes: [Route] = [
        Route(method: .post, path: "/faults", summary: "Set a fault.", handle: setFault),
        Route(method: .get, path: "/faults", summary: "The faults that are set.", handle: listFaults),
        Route(method: .delete, path: "/faults", summary: "Remove every fault.", handle: removeFaults),
        Route(method: .delete, path: "/faults/{id}", summary: "Remove a fault.", handle: removeFault),
    ]

    @Sendable private static func setFault(_ call: Call) throws(ControlProblem) -> Response {
        let seed = call.gateway.desk.random.next() >> 32
        let fault = try call.gateway.desk.faults.add(try call.body(), at: call.gateway.clock.now, seed: seed)
        return .json(status: 201) { write(fault, to: &$0) }
    }

    @Sendable private static func listFaults(_ call: Call) throws(ControlProblem) -> Response {
        let page = try ControlPage(call.request)
        let faults = call.gateway.desk.faults.faults
        return .json { json in
            json.key("faults")
            json.array { json in
                for fault in faults.dropFirst(page.start).prefix(page.limit) { json.object { write(fault, to: &$0) } }
            }
            json.member("next", page.next(of: faults.count))
        }
    }

    @Sendable private static func removeFaults(_ call: Call) throws(ControlProblem) -> Response {
        call.gateway.desk.faults.removeAll()
        return Response(status: 204)
    }

    @Sendable private static func removeFault(_ call: Call) throws(ControlProblem) -> Response {
        guard call.gateway.desk.faults.remove(call.name) else { throw .missing("There is no fault '\(call.name)'.") }
        return Response(status: 204)
    }

    /// As it was asked for, and what came of it.
    private static func write(_ fault: Fault, to json: inout JSONWriter) {
        json.member("id", fault.id)
        guard let source = try? JSONDocument(parsing: fault.source).root else { return }
        for (key, value) in source.members { json.member(key.string ?? "", value) }
        json.member("seen", fault.seen)
        json.member("fired", fault.fired)
    }
}

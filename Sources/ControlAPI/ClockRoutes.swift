internal import HTTPCore
internal import JSON
internal import PushCore
internal import PushEngine

extension ControlAPI {
    static let clockRoutes: [Route] = [
        Route(.get, "/clock", "Show the gateway's clock.", answers: [(200, .named("Clock"))], handle: showClock),
        Route(
            .post, "/clock", "Move, freeze or resume the gateway's clock. Send exactly one member.",
            body: .object([
                Schema.member("advance", .duration), Schema.member("set", .anyOf([.time, .words(["now"])])),
                Schema.member("freeze", .boolean), Schema.member("resume", .boolean),
            ]), answers: [(200, .named("Clock"))], reply: moveClock),
    ]

    private static func showClock(_ call: Call) throws(ControlProblem) -> Response { clock(of: call.host) }

    fileprivate static func clock(of host: any ControlHost) -> Response {
        .json { json in
            json.member("now", host.now.description)
            json.member("frozen", host.isClockFrozen)
        }
    }

    private static func moveClock(_ call: Call) throws(ControlProblem) -> Reply {
        var fields = try FieldReader(try call.body(), at: "")
        let advance = try fields.duration("advance")
        let set = try fields.string("set")
        let freeze = try fields.bool("freeze")
        let resume = try fields.bool("resume")
        try fields.end()
        let given = [advance != nil, set != nil, freeze == true, resume == true].count { $0 }
        guard given == 1 else {
            throw .bad("Send exactly one of advance, set, freeze and resume, for example {\"advance\":\"1h\"}.", at: "")
        }
        if let advance {
            let moment = call.now + Int64(advance)
            guard Timestamp.range.contains(moment) else {
                throw fields.problem("advance", "must not move the clock beyond the end of the year 9998")
            }
            call.host.moveClock(.to(moment))
        } else if set == "now" {
            call.host.moveClock(.to(call.host.systemTimeNow))
        } else if let set {
            guard let moment = Timestamp(parsing: set) else {
                throw fields.problem("set", "must be a time such as 2026-11-21T04:05:06.789Z, or \"now\"")
            }
            call.host.moveClock(.to(moment))
        } else if freeze == true {
            call.host.moveClock(.freeze)
        } else {
            call.host.moveClock(.resume)
        }
        call.host.box.engine.events.append(
            .clock, at: call.host.now, about: Event.Subject(),
            detail: .fields([("now", .string(call.host.now.description)), ("frozen", .bool(call.host.isClockFrozen))]))
        return .deferred(.query(ClockMoveCall()))
    }
}

/// A call that has moved the clock. Its answer waits until everything that is now due is done.
private final class ClockMoveCall: SlicedCall {
    func advance(_ host: any ControlHost) -> ControlAPI.Reply? {
        host.runDue() ? .answer(ControlAPI.clock(of: host)) : nil
    }
}

package import HTTPCore
internal import JSON
internal import PushCore
package import PushEngine

extension ControlAPI {
    static let expectRoutes: [Route] = [
        Route(
            .post, "/expect",
            "Wait until the expected number of pushes match a filter, or until that can no longer happen.",
            body: .object([
                Schema.member("match", .named("Match"), "The pushes to count. Default: all."),
                Schema.member(
                    "count", .integer(0...1_000_000),
                    "Expect exactly N matching pushes. Met as soon as N pushes match. Fails at once if more than N match already."
                ),
                Schema.member(
                    "atLeast", .integer(0...1_000_000),
                    "Expect at least N matching pushes. Met as soon as N pushes match. Default: 1."),
                Schema.member(
                    "atMost", .integer(0...1_000_000),
                    "Expect at most N matching pushes. Fails as soon as more than N match. Otherwise met when the time in 'within' is up."
                ),
                Schema.member("never", .boolean, "Expect no matching push. The same as atMost 0."),
                Schema.member("within", .duration, "How long to wait, in real time. Default: 5s."),
            ]),
            answers: [(200, .named("Verdict")), (417, .named("Verdict"))], reply: expect)
    ]

    private static let defaultWait: UInt64 = 5000
    private static let longestWait: UInt64 = 24 * 3600 * 1000

    private static func expect(_ call: Call) throws(ControlProblem) -> Reply {
        var fields = try FieldReader(try call.body(), at: "")
        var filter = MessageFilter()
        if let match = fields.value("match") { filter = try MessageFilter(match, at: "/match") }
        let range = 0...1_000_000
        let (count, least, most) = (
            try fields.int("count", range), try fields.int("atLeast", range), try fields.int("atMost", range)
        )
        let never = try fields.bool("never")
        let within = try fields.duration("within") ?? defaultWait
        try fields.end()
        guard [count != nil, least != nil, most != nil, never == true].count(where: { $0 }) <= 1 else {
            throw .bad("Send at most one of count, atLeast, atMost and never.", at: "")
        }
        guard within <= longestWait else { throw fields.problem("within", "must be at most 24h") }
        let demand: Expectation.Demand =
            if let count { .exactly(count) } else if let most { .atMost(most) } else if never == true {
                .atMost(0)
            } else { .atLeast(least ?? 1) }
        guard call.host.box.engine.expectations.count < call.host.box.engine.expectations.capacity else {
            throw ControlProblem(
                status: 409, code: "tooMany",
                message:
                    "There are already \(call.host.box.engine.expectations.capacity) waiting expect calls, which is the limit."
            )
        }
        let (expectation, verdict) = call.host.box.engine.judge(Expectation(filter, demand, within: within))
        return verdict.map { .answer(response(to: expectation, $0, by: call.host)) } ?? .deferred(.expect(expectation))
    }

    /// The answer to `expect` once it is decided.
    package static func response(
        to expectation: Expectation, _ verdict: Expectation.Verdict, by host: any ControlHost
    ) -> Response {
        .json(status: verdict == .met ? 200 : 417) { json in
            json.member("met", verdict == .met)
            json.member("count", expectation.count)
            json.member("messages", expectation.pushes.map(\.description))
            if expectation.unlisted > 0 { json.member("unlisted", expectation.unlisted) }
            guard verdict == .failed else { return }
            json.member("why", expectation.shortfall)
            json.key("nearest")
            json.array { json in
                // Pushes that nearly match explain why too few matched, not why too many did.
                if expectation.isExceeded { return }
                for (message, differences) in host.box.engine.nearest(to: expectation.filter) {
                    json.object { json in
                        json.member("message", message.record.id.description)
                        json.member("differs", differences)
                    }
                }
            }
        }
    }
}

package import PushEngine
package import HTTPCore
internal import JSON
internal import PushCore

extension ControlAPI {
    static let expectRoutes: [Route] = [
        Route(
            .post, "/expect",
            "Wait until so many pushes are there that a filter means, or until it is sure that there are not.",
            body: .object([
                Schema.member("match", .named("Match"), "Which pushes; all where it is not said."),
                Schema.member(
                    "count", .integer(0...1_000_000), "So many: met at the n-th, failed where more are there already."),
                Schema.member(
                    "atLeast", .integer(0...1_000_000), "So many or more: met at the n-th. 1 where nothing is said."),
                Schema.member(
                    "atMost", .integer(0...1_000_000),
                    "No more: failed at the first that is too many, else met at the end."),
                Schema.member("never", .boolean, "None: the same as atMost 0."),
                Schema.member("within", .duration, "How long to wait, in real time; 5s where it is not said."),
            ]),
            answers: [(200, .named("Verdict")), (417, .named("Verdict"))], reply: expect)
    ]

    private static let usualWait: UInt64 = 5000
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
        let within = try fields.duration("within") ?? usualWait
        try fields.end()
        guard [count != nil, least != nil, most != nil, never == true].count(where: { $0 }) <= 1 else {
            throw .bad("Ask for one of count, atLeast, atMost and never.", at: "")
        }
        guard within <= longestWait else { throw fields.problem("within", "must be 24h at most") }
        let demand: Expectation.Demand =
            if let count { .exactly(count) } else if let most { .atMost(most) } else if never == true {
                .atMost(0)
            } else { .atLeast(least ?? 1) }
        guard call.host.engine.expectations.count < call.host.engine.expectations.capacity else {
            throw ControlProblem(
                status: 409, code: "tooMany", message: "\(call.host.engine.expectations.capacity) calls wait already.")
        }
        let (expectation, verdict) = call.host.engine.judge(Expectation(filter, demand, within: within))
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
            guard verdict == .failed else { return }
            json.key("nearest")
            json.array { json in
                for (message, differences) in host.engine.nearest(to: expectation.filter) {
                    json.object { json in
                        json.member("message", message.record.id.description)
                        json.member("differs", differences)
                    }
                }
            }
        }
    }
}

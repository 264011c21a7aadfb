internal import HTTPCore
package import JSON
package import PushCore
package import PushEngine

extension ControlAPI {
    static let expectRoutes: [Route] = [
        Route(
            .post, "/expect",
            "Wait until the expected number of pushes or events match a filter, or match several filters in order, or until that can no longer happen.",
            body: .object([
                Schema.member("match", .named("Match"), "The pushes or events to count. Default: all pushes."),
                Schema.member(
                    "sequence", .list(.named("Match")),
                    "Expect a match of each filter, in this order. Other pushes and events may come between. Use it in place of match, count, atLeast, atMost and never."
                ),
                Schema.member(
                    "count", .integer(0...1_000_000),
                    "Expect exactly N matches. Met as soon as N match. Fails at once if more than N match already."
                ),
                Schema.member(
                    "atLeast", .integer(0...1_000_000),
                    "Expect at least N matches. Met as soon as N match. Default: 1."),
                Schema.member(
                    "atMost", .integer(0...1_000_000),
                    "Expect at most N matches. Fails as soon as more than N match. Otherwise met when the time in 'within' is up."
                ),
                Schema.member("never", .boolean, "Expect no match. The same as atMost 0."),
                Schema.member("within", .duration, "How long to wait, in real time. Default: 5s."),
            ]),
            answers: [(200, .named("Verdict")), (417, .named("Verdict"))], reply: expect)
    ]

    private static let defaultWait: UInt64 = 5000
    private static let longestWait: UInt64 = 24 * 3600 * 1000

    /// The largest numbers of filters in a sequence, and of their conditions together. They limit the work for one event,
    /// because a thousand calls may wait.
    private static let (longestSequence, maxConditions) = (100, 250)

    /// Reads the body of `POST /expect`.
    ///
    /// - Parameter rules: the ids of all rules; nil if they are not known.
    package static func expectation(_ body: JSONView, rules: [String]? = nil) throws(ControlProblem) -> Expectation {
        var fields = try FieldReader(body, at: "")
        var filter = MessageFilter()
        let match = fields.value("match")
        if let match { filter = try MessageFilter(match, at: "/match") }
        let sequence = try filters(fields.value("sequence"))
        let range = 0...1_000_000
        let (count, least, most) = (
            try fields.int("count", range), try fields.int("atLeast", range), try fields.int("atMost", range)
        )
        let never = try fields.bool("never")
        let within = try fields.duration("within") ?? defaultWait
        try fields.end()
        try FilterMistakes(rules: rules).refuse(in: body)
        let demands = [count != nil, least != nil, most != nil, never == true].count(where: { $0 })
        guard demands <= 1 else { throw .bad("Send at most one of count, atLeast, atMost and never.", at: "") }
        guard within <= longestWait else { throw fields.problem("within", "must be at most 24h") }
        if let sequence {
            guard match == nil, demands == 0 else {
                throw fields.problem("sequence", "cannot be combined with match, count, atLeast, atMost or never")
            }
            return Expectation(inOrder: sequence, within: within)
        }
        let demand: Expectation.Demand =
            if let count { .exactly(count) } else if let most { .atMost(most) } else if never == true {
                .atMost(0)
            } else { .atLeast(least ?? 1) }
        return Expectation(filter, demand, within: within)
    }

    private static func filters(_ json: JSONView?) throws(ControlProblem) -> [MessageFilter]? {
        guard let json else { return nil }
        guard json.kind == .array, json.count > 0, json.count <= longestSequence else {
            throw .bad(
                "'sequence' must be an array of 1 to \(longestSequence) filters, such as [{\"app\":\"com.example.app\"}].",
                at: "/sequence")
        }
        var filters: [MessageFilter] = []
        var (size, count) = (0, 0)
        for element in json.elements {
            let pointer = "/sequence/\(filters.count)"
            let filter = try MessageFilter(element, at: pointer)
            size &+= filter.size
            guard size <= MessageFilter.maximumSize else { throw MessageFilter.tooLarge(size, at: pointer) }
            filters.append(filter)
            count &+= filter.count
            guard count <= maxConditions else {
                throw .bad(
                    "The filters of a sequence may have at most \(maxConditions) conditions together.", at: pointer)
            }
        }
        return filters
    }

    private static func expect(_ call: Call) throws(ControlProblem) -> Reply {
        let expectation = try expectation(try call.body(), rules: call.host.rules.map(\.id.description))
        guard call.host.box.engine.expectations.count < call.host.box.engine.expectations.capacity else {
            throw ControlProblem(
                status: 409, code: "tooMany",
                message:
                    "There are already \(call.host.box.engine.expectations.capacity) waiting expect calls, which is the limit."
            )
        }
        return .deferred(.query(ExpectCall(call, expectation)))
    }
}

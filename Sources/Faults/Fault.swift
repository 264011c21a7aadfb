internal import FCM
internal import JSON
package import PushCore

/// An injected error: which requests it applies to, how often, and what happens.
///
/// A class, because every decision has an optional fault, which is nearly always nil and should be small.
package final class Fault {
    package let id: String
    package let match: FaultMatch
    package private(set) var plan: FaultPlan
    /// The named fault that was given as the effect, if any.
    package let named: NamedFault?
    /// The maximum number of requests that it hits.
    private let times: Int?
    /// Hits only the n-th matching request.
    private let nth: Int?
    /// Hits every n-th matching request.
    private let every: Int?
    /// Hits all matching requests after the n-th.
    private let after: Int?
    /// Whether `nth`, `every` and `after` count requests over the whole gateway, per connection or per device token.
    private let counting: Counting
    package internal(set) var countsByToken: [String: Int] = [:]
    /// The tokens whose counts the last matching request changed.
    private(set) var changedTokens: [String] = []
    /// How many milliseconds a connection must be idle before the fault hits it. Such a fault hits no requests.
    let idle: UInt64?
    /// False if it hits connections only.
    let isForRequests: Bool
    /// When it was added.
    package let since: Timestamp
    /// Whether it was removed. A removed fault also stops hitting the connections to which it sticks.
    var isRemoved = false
    private let probability: Double?
    var chance: Random
    /// The seed of its random draws. The same seed repeats the same draws.
    package let seed: UInt64
    /// The scenario that it belongs to.
    package let scenario: String?
    private let ends: Timestamp?
    /// The JSON text from which it was made.
    package let source: [UInt8]
    package internal(set) var seen = 0
    package internal(set) var fired = 0

    private enum Counting: String, CaseIterable { case gateway, connection, token }
    private static let memberNames = [
        "match", "effect", "times", "nth", "every", "after", "per", "idle", "probability", "seed", "for",
    ]
    private static let tokenLimit = 10_000
    private static let maxTokenLength = 1100

    init(_ json: JSONView, id: String, scenario: String?, at now: Timestamp, seed: UInt64) throws(ControlProblem) {
        self.scenario = scenario
        var fields = try FieldReader(json, at: "")
        self.id = id
        match =
            try fields.value("match").map { (value) throws(ControlProblem) in try FaultMatch(value, at: "/match") }
            ?? FaultMatch()
        guard let effect = fields.value("effect") else {
            try fields.refuseUnknown(besides: Self.memberNames)
            throw .bad("'effect' is required, for example {\"wire\":\"goawayShutdown\"}.", at: "/effect")
        }
        let effects = try FaultEffect.read(effect, at: "/effect")
        plan = FaultPlan(effects)
        let only = effect.kind == .array && effect.count == 1 ? effect[0] : effect
        named = only?["wire"]?.string.flatMap(NamedFault.init)
        guard !plan.hasNoEffect else { throw .bad("This effect does nothing.", at: "/effect") }
        times = try fields.int("times", 1...1_000_000_000)
        nth = try fields.int("nth", 1...1_000_000_000)
        every = try fields.int("every", 1...1_000_000_000)
        after = try fields.int("after", 0...1_000_000_000)
        counting = try fields.word("per", Counting.self) ?? .gateway
        idle = try fields.duration("idle")
        isForRequests = plan.opening == nil && idle == nil
        since = now
        probability = try fields.double("probability", 0...1)
        self.seed = try fields.int("seed", 0...Int(UInt32.max)).map(UInt64.init) ?? seed
        chance = Random(seed: self.seed)
        ends = try fields.duration("for").map { now + Int64($0) }
        try fields.end()
        if let opening = plan.opening {
            guard effects.count == 1 else {
                throw .bad(
                    "'\(opening.name)' cannot be combined with other effects, because it takes effect when a connection opens, before there is a request.",
                    at: "/effect")
            }
            guard match.matchesEverything, counting == .gateway, idle == nil else {
                throw .bad(
                    "A fault with '\(opening.name)' cannot have match, per or idle, because it takes effect when a connection opens, before there is a request.",
                    at: "/match")
            }
        }
        if idle != nil {
            guard case .goAway = plan.ending else {
                throw .bad("With 'idle', the only possible effect is 'goAway'.", at: "/effect")
            }
            guard match.matchesEverything else {
                throw .bad("With 'idle', there is no request to match.", at: "/match")
            }
        }
        source = Array(json.source)
    }

    /// Whether it was removed or its time has ended.
    package func hasEnded(at now: Timestamp) -> Bool { isRemoved || ends.map { now > $0 } ?? false }

    /// Whether the fault can hit requests to this service. A fault that names a path can hit all services. Any other
    /// fault can hit APNs, and some of Google's services. If the fault has a recorded answer, these are the services of
    /// that answer. If not, they are the services that are open to all faults (`GoogleService.isOpenToFaults`).
    func canHit(_ candidate: FaultMatch.Candidate) -> Bool {
        guard let service = candidate.service, !match.hasPath else { return true }
        return plan.answer?.recorded?.services.contains(service) ?? service.isOpenToFaults
    }

    /// Whether a fault can still hit anything.
    package enum State: String, CaseIterable {
        case active
        /// It has hit as many requests as it may. A sticky fault still hits the connections that it sticks to.
        case usedUp
        /// Its time has ended.
        case expired
    }

    package func state(at now: Timestamp) -> State {
        if hasEnded(at: now) { return .expired }
        let hasPassed = counting == .gateway && nth.map { seen >= $0 } ?? false
        return hasPassed || times.map { fired >= $0 } ?? false ? .usedUp : .active
    }

    /// Counts a matching request. Returns whether the fault hits it.
    func countMatch(_ token: String?, _ memory: inout FaultMemory, at now: Timestamp) -> Bool {
        if hasEnded(at: now) { return false }
        seen += 1
        let number = count(token, &memory)
        if let times, fired >= times { return false }
        if let nth, number != nth { return false }
        if let every, !number.isMultiple(of: every) { return false }
        if let after, number <= after { return false }
        if let probability, Double.random(in: 0..<1, using: &chance) >= probability { return false }
        fired += 1
        plan.draw(using: &chance)
        return true
    }

    /// Counts one more request on a connection to which the fault sticks.
    func countStickyRequest() {
        seen += 1
        fired += 1
        plan.draw(using: &chance)
    }

    private func count(_ token: String?, _ memory: inout FaultMemory) -> Int {
        switch counting {
        case .gateway: return seen
        case .connection:
            memory.counts[id, default: 0] += 1
            return memory.counts[id, default: 0]
        case .token:
            let token = (token?.utf8.count ?? 0) <= Self.maxTokenLength ? token ?? "" : ""
            changedTokens = [token]
            if countsByToken.count >= Self.tokenLimit, countsByToken[token] == nil {
                changedTokens += countsByToken.keys
                countsByToken = [:]
            }
            countsByToken[token, default: 0] += 1
            return countsByToken[token, default: 0]
        }
    }
}

/// What faults remember about one connection.
package struct FaultMemory {
    /// The fault that hits all later requests of the connection.
    package var stickyFault: Fault?
    var counts: [String: Int] = [:]

    package init() {}
}

@available(*, unavailable) extension Fault: Sendable {}

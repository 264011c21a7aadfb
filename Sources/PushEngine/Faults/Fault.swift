internal import JSON
internal import PushCore

/// Something to go wrong on purpose: for which requests, when of them, and how. An object: every decision could carry
/// one, and hardly any does.
package final class Fault {
    package let id: String
    package let match: FaultMatch
    package private(set) var plan: FaultPlan
    /// The named one, where it is one.
    let wire: WireFault?
    /// How often at most.
    private let times: Int?
    /// Only the n-th matching request, every n-th, all after the n-th; counted for all together, for each connection
    /// or for each device token.
    private let nth: Int?
    private let every: Int?
    private let after: Int?
    private let counting: Counting
    private var countsByToken: [String: Int] = [:]
    /// Milliseconds of a connection's idleness that it waits for, instead of a request.
    let idle: UInt64?
    /// When it was set.
    let since: Timestamp
    /// Taken away; what sticks to connections ends with it.
    var isRemoved = false
    private let probability: Double?
    private var chance: Random
    /// What its chances come from: said again, they come again.
    package let seed: UInt64
    /// The scenario that it is part of.
    package let scenario: String?
    private let ends: Timestamp?
    /// As it was asked for.
    package let source: [UInt8]
    package private(set) var seen = 0
    package private(set) var fired = 0

    private enum Counting: String, CaseIterable { case gateway, connection, token }
    private static let tokenLimit = 10_000
    private static let longestToken = 1100

    init(_ json: JSONView, id: String, scenario: String?, at now: Timestamp, seed: UInt64) throws(ControlProblem) {
        self.scenario = scenario
        var fields = try FieldReader(json, at: "")
        self.id = id
        match =
            try fields.value("match").map { (value) throws(ControlProblem) in try FaultMatch(value, at: "/match") }
            ?? FaultMatch()
        guard let effect = fields.value("effect") else {
            throw .bad("A fault needs an 'effect', for example {\"wire\":\"goawayShutdown\"}.", at: "/effect")
        }
        let effects = try FaultEffect.read(effect, at: "/effect")
        plan = FaultPlan(effects)
        let only = effect.kind == .array && effect.count == 1 ? effect[0] : effect
        wire = only?["wire"]?.string.flatMap(WireFault.init)
        guard !plan.isNothing else { throw .bad("This does nothing: say what is to happen.", at: "/effect") }
        times = try fields.int("times", 1...1_000_000_000)
        nth = try fields.int("nth", 1...1_000_000_000)
        every = try fields.int("every", 1...1_000_000_000)
        after = try fields.int("after", 0...1_000_000_000)
        counting = try fields.word("per", Counting.self) ?? .gateway
        idle = try fields.duration("idle")
        since = now
        probability = try fields.double("probability", 0...1)
        self.seed = try fields.int("seed", 0...Int(UInt32.max)).map(UInt64.init) ?? seed
        chance = Random(seed: self.seed)
        ends = try fields.duration("for").map { now + Int64($0) }
        try fields.end()
        if plan.handshake != nil {
            guard effects.count == 1 else {
                throw .bad("Nothing else can go with 'tls': there is no request yet.", at: "/effect")
            }
            guard match.isForAll, counting == .gateway, idle == nil else {
                throw .bad("A handshake has no request to match, and no connection to count for.", at: "/match")
            }
        }
        if idle != nil {
            guard case .goAway = plan.ending else {
                throw .bad("On an idle connection there is nothing but 'goAway' to do.", at: "/effect")
            }
            guard match.isForAll else { throw .bad("An idle connection has no request to match.", at: "/match") }
        }
        source = Array(json.source)
    }

    /// Whether it does nothing any more.
    func isOver(at now: Timestamp) -> Bool { isRemoved || ends.map { now > $0 } ?? false }

    /// Whether a request that matches is hit. Counts it.
    func isDue(_ token: String?, _ memory: inout FaultMemory, at now: Timestamp) -> Bool {
        if isOver(at: now) { return false }
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

    /// One more request on a connection that it sticks to.
    func goesOn() {
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
            let token = (token?.utf8.count ?? 0) <= Self.longestToken ? token ?? "" : ""
            if countsByToken.count >= Self.tokenLimit, countsByToken[token] == nil { countsByToken = [:] }
            countsByToken[token, default: 0] += 1
            return countsByToken[token, default: 0]
        }
    }
}

/// What faults remember of one connection.
package struct FaultMemory {
    /// Goes on for the rest of it.
    var stuck: Fault?
    var counts: [String: Int] = [:]

    package init() {}
}

@available(*, unavailable) extension Fault: Sendable {}

internal import JSON
internal import PushCore

/// Something to go wrong on purpose: for which requests, when of them, and how. An object: every decision could carry
/// one, and hardly any does.
final class Fault {
    let id: String
    let match: FaultMatch
    let plan: FaultPlan
    /// The named one, where it is one.
    let wire: WireFault?
    /// How often at most.
    private let times: Int?
    /// Only the n-th matching request, and every n-th; counted for all together, or for each connection.
    private let nth: Int?
    private let every: Int?
    private let countsPerConnection: Bool
    private let probability: Double?
    private var chance: Random
    private let ends: Timestamp?
    /// As it was asked for.
    let source: [UInt8]
    private(set) var seen = 0
    private(set) var fired = 0

    static let sizeLimit = 64 << 10

    private enum Counting: String, CaseIterable { case gateway, connection }

    init(_ json: JSONView, id: String, at now: Timestamp, seed: UInt64) throws(ControlProblem) {
        var fields = try FieldReader(json, at: "")
        self.id = id
        match = try fields.value("match").map { (value) throws(ControlProblem) in try FaultMatch(value, at: "/match") }
            ?? FaultMatch()
        guard let effect = fields.value("effect") else {
            throw .bad("A fault needs an 'effect', for example {\"wire\":\"goawayShutdown\"}.", at: "/effect")
        }
        let effects = try FaultEffect.read(effect, at: "/effect")
        plan = FaultPlan(effects)
        wire = (effect.kind == .object ? effect["wire"]?.string : nil).flatMap(WireFault.init)
        times = try fields.int("times", 1...1_000_000_000)
        nth = try fields.int("nth", 1...1_000_000_000)
        every = try fields.int("every", 1...1_000_000_000)
        countsPerConnection = try fields.word("per", Counting.self) == .connection
        probability = try fields.double("probability", 0...1)
        chance = Random(seed: try fields.int("seed", 0...Int(UInt32.max)).map(UInt64.init) ?? seed)
        ends = try fields.duration("for").map { now + Int64($0) }
        try fields.end()
        source = Array(json.source)
    }

    /// Whether a request that matches is hit. Counts it.
    func isDue(_ memory: inout FaultMemory, at now: Timestamp) -> Bool {
        if let ends, now > ends { return false }
        seen += 1
        memory.counts[id, default: 0] += 1
        let number = countsPerConnection ? memory.counts[id, default: 0] : seen
        if let times, fired >= times { return false }
        if let nth, number != nth { return false }
        if let every, !number.isMultiple(of: every) { return false }
        if let probability, Double.random(in: 0..<1, using: &chance) >= probability { return false }
        fired += 1
        return true
    }
}

/// What faults remember of one connection.
struct FaultMemory {
    /// Goes on for the rest of it.
    var stuck: Fault?
    var counts: [String: Int] = [:]
}

@available(*, unavailable) extension Fault: Sendable {}

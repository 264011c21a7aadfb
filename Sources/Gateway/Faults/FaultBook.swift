internal import JSON
internal import PushCore

/// All faults that are set, in the order they were.
struct FaultBook {
    private(set) var faults: [Fault] = []
    private var minted = 0

    private static let capacity = 1000

    var isEmpty: Bool { faults.isEmpty }

    mutating func add(_ json: JSONView, at now: Timestamp, seed: UInt64) throws(ControlProblem) -> Fault {
        guard faults.count < Self.capacity else {
            throw ControlProblem(status: 409, code: "tooMany", message: "There are \(Self.capacity) faults; delete some.")
        }
        let fault = try Fault(json, id: "f\(minted + 1)", at: now, seed: seed)
        minted += 1
        faults.append(fault)
        return fault
    }

    /// False where there is none of that id.
    mutating func remove(_ id: String) -> Bool {
        guard let index = faults.firstIndex(where: { $0.id == id }) else { return false }
        faults.remove(at: index)
        return true
    }

    mutating func removeAll() { faults = [] }

    /// The first that hits a request.
    mutating func plan(
        for candidate: FaultMatch.Candidate, _ memory: inout FaultMemory, at now: Timestamp
    ) -> Fault? {
        if let stuck = memory.stuck { return stuck }
        for index in faults.indices where faults[index].plan.handshake == nil {
            guard faults[index].match.matches(candidate), faults[index].isDue(&memory, at: now) else { continue }
            if faults[index].plan.isSticky { memory.stuck = faults[index] }
            return faults[index]
        }
        return nil
    }

    /// The first that hits a TLS handshake.
    mutating func handshake(at now: Timestamp) -> Fault? {
        var memory = FaultMemory()
        for index in faults.indices where faults[index].plan.handshake != nil {
            if faults[index].isDue(&memory, at: now) { return faults[index] }
        }
        return nil
    }
}

package import JSON
package import PushCore

/// All faults that are set, in the order they were.
package struct FaultBook {
    package private(set) var faults: [Fault] = []
    private var minted = 0

    private static let capacity = 1000
    package static let full = ControlProblem(
        status: 409, code: "tooMany", message: "There are \(capacity) faults; delete some.")

    package var isEmpty: Bool { faults.isEmpty }

    /// Whether there is room for so many more.
    package func hasRoom(for count: Int) -> Bool { faults.count + count <= Self.capacity }

    package mutating func add(_ json: JSONView, of scenario: String? = nil, at now: Timestamp, seed: UInt64)
        throws(ControlProblem) -> Fault
    {
        guard hasRoom(for: 1) else { throw Self.full }
        let fault = try Fault(json, id: "f\(minted + 1)", scenario: scenario, at: now, seed: seed)
        minted += 1
        faults.append(fault)
        return fault
    }

    /// False where there is none of that id.
    package mutating func remove(_ id: String) -> Bool {
        guard let index = faults.firstIndex(where: { $0.id == id }) else { return false }
        faults.remove(at: index).isRemoved = true
        return true
    }

    package mutating func removeAll(where isMeant: (Fault) -> Bool = { _ in true }) {
        for fault in faults where isMeant(fault) { fault.isRemoved = true }
        faults.removeAll(where: \.isRemoved)
    }

    /// The first that hits a request.
    mutating func plan(
        for candidate: FaultMatch.Candidate, _ memory: inout FaultMemory, at now: Timestamp
    ) -> Fault? {
        if let stuck = memory.stuck {
            if !stuck.isOver(at: now) {
                stuck.goesOn()
                return stuck
            }
            memory.stuck = nil
        }
        for fault in faults where fault.plan.handshake == nil && fault.idle == nil {
            guard fault.match.matches(candidate), fault.isDue(candidate.token, &memory, at: now) else { continue }
            if fault.plan.isSticky { memory.stuck = fault }
            return fault
        }
        return nil
    }

    /// The first that hits a TLS handshake.
    package mutating func handshake(at now: Timestamp) -> Fault? {
        var memory = FaultMemory()
        for fault in faults where fault.plan.handshake != nil && fault.isDue(nil, &memory, at: now) { return fault }
        return nil
    }

    /// The first that hits a connection which has been idle for so many milliseconds.
    package func idle(for milliseconds: UInt64, _ memory: inout FaultMemory, at now: Timestamp) -> Fault? {
        for fault in faults {
            if let idle = fault.idle, milliseconds >= idle, fault.isDue(nil, &memory, at: now) { return fault }
        }
        return nil
    }
}

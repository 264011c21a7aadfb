package import JSON
package import PushCore

/// All active faults, in the order in which they were added.
package struct FaultBook {
    package private(set) var faults: [Fault] = []
    private var lastNumber = 0

    private static let capacity = 1000
    package static let full = ControlProblem(
        status: 409, code: "tooMany", message: "There are already \(capacity) faults, which is the limit. Delete some.")

    package var isEmpty: Bool { faults.isEmpty }

    /// Whether `count` more faults fit.
    package func hasRoom(for count: Int) -> Bool { faults.count + count <= Self.capacity }

    package mutating func add(_ json: JSONView, of scenario: String? = nil, at now: Timestamp, seed: UInt64)
        throws(ControlProblem) -> Fault
    {
        guard hasRoom(for: 1) else { throw Self.full }
        let fault = try Fault(json, id: "f\(lastNumber + 1)", scenario: scenario, at: now, seed: seed)
        lastNumber += 1
        faults.append(fault)
        return fault
    }

    /// Removes a fault. False if the id is unknown.
    package mutating func remove(_ id: String) -> Bool {
        guard let index = faults.firstIndex(where: { $0.id == id }) else { return false }
        faults.remove(at: index).isRemoved = true
        return true
    }

    package mutating func removeAll(where shouldRemove: (Fault) -> Bool = { _ in true }) {
        for fault in faults where shouldRemove(fault) { fault.isRemoved = true }
        faults.removeAll(where: \.isRemoved)
    }

    /// The first fault that hits a request.
    mutating func plan(
        for candidate: FaultMatch.Candidate, _ memory: inout FaultMemory, at now: Timestamp
    ) -> Fault? {
        if let stuck = memory.stickyFault {
            if stuck.hasEnded(at: now) {
                memory.stickyFault = nil
            } else if stuck.canHit(candidate) {
                stuck.countStickyRequest()
                return stuck
            }
        }
        for fault in faults where fault.plan.handshake == nil && fault.idle == nil {
            guard fault.canHit(candidate), fault.match.matches(candidate),
                fault.countMatch(candidate.token, &memory, at: now)
            else { continue }
            if fault.plan.isSticky { memory.stickyFault = fault }
            return fault
        }
        return nil
    }

    /// The first fault that hits a TLS handshake.
    package mutating func handshake(at now: Timestamp) -> Fault? {
        var memory = FaultMemory()
        for fault in faults where fault.plan.handshake != nil && fault.countMatch(nil, &memory, at: now) {
            return fault
        }
        return nil
    }

    /// The first fault that hits a connection which has been idle for this long.
    package func idle(for milliseconds: UInt64, _ memory: inout FaultMemory, at now: Timestamp) -> Fault? {
        for fault in faults {
            if let idle = fault.idle, milliseconds >= idle, fault.countMatch(nil, &memory, at: now) { return fault }
        }
        return nil
    }
}

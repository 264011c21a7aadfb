package import JSON
package import PushCore

/// All faults that have not been removed, in the order in which they were added. Some may be used up or expired.
package struct FaultBook {
    package private(set) var faults: [Fault] = []
    /// The number in the newest fault's id.
    package private(set) var lastNumber = 0
    package var changes = RecordChanges()

    package init() {}

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
        try Fault.refuseMistakes(in: json)
        lastNumber += 1
        faults.append(fault)
        changes.note(.fault, fault.id)
        return fault
    }

    package subscript(id: String) -> Fault? { faults.first { $0.id == id } }

    /// The count for one token; nil if the fault was removed or has no count.
    package func count(forKey key: String) -> UInt64? {
        guard let (id, token) = Fault.parts(ofCountKey: key), let count = self[id]?.countsByToken[token] else {
            return nil
        }
        return UInt64(count)
    }

    /// Adds saved faults to a new book. Returns false if there are too many, or if two have the same id.
    ///
    /// - Parameters:
    ///   - counts: the counts for tokens, by the keys of their records.
    ///   - newest: the number of the newest fault that there ever was.
    package mutating func restore(_ saved: [Fault], _ counts: [(key: String, count: Int)], newest: Int) -> Bool {
        let numbered = saved.compactMap { fault in Fault.number(ofID: fault.id).map { (number: $0, fault: fault) } }
        guard saved.count <= Self.capacity, Set(numbered.map(\.number)).count == saved.count else { return false }
        faults = numbered.sorted { $0.number < $1.number }.map(\.fault)
        lastNumber = max(min(newest, Fault.largestNumber), numbered.map(\.number).max() ?? 0)
        for (key, count) in counts {
            // Without its fault, a count is ignored. Pushpit deletes both in one batch, but a person who edits the
            // database may delete only the fault.
            if let (id, token) = Fault.parts(ofCountKey: key) { self[id]?.countsByToken[token] = count }
        }
        return true
    }

    /// Removes a fault. False if the id is unknown.
    package mutating func remove(_ id: String) -> Bool {
        guard let index = faults.firstIndex(where: { $0.id == id }) else { return false }
        let fault = faults.remove(at: index)
        fault.isRemoved = true
        noteRemoval(of: fault)
        return true
    }

    package mutating func removeAll(where shouldRemove: (Fault) -> Bool = { _ in true }) {
        for fault in faults where shouldRemove(fault) {
            fault.isRemoved = true
            noteRemoval(of: fault)
        }
        faults.removeAll(where: \.isRemoved)
    }

    private mutating func noteRemoval(of fault: Fault) {
        changes.note(.fault, fault.id)
        noteTokens(fault.countsByToken.keys, of: fault)
    }

    private mutating func noteTokens(_ tokens: some Sequence<String>, of fault: Fault) {
        for token in tokens { changes.note(.faultCount, fault.countKey(token)) }
    }

    /// Counts a request that matches a fault. Returns whether the fault hits it.
    private mutating func countMatch(
        _ fault: Fault, _ token: String?, _ memory: inout FaultMemory, at now: Timestamp
    ) -> Bool {
        let seen = fault.seen
        let isHit = fault.countMatch(token, &memory, at: now)
        guard changes.isCollecting, fault.seen != seen else { return isHit }
        changes.note(.fault, fault.id)
        noteTokens(fault.changedTokens, of: fault)
        return isHit
    }

    /// The first fault that hits a request.
    package mutating func firstFault(
        hitting candidate: FaultMatch.Candidate, _ memory: inout FaultMemory, at now: Timestamp
    ) -> Fault? {
        if let stuck = memory.stickyFault {
            if stuck.hasEnded(at: now) {
                memory.stickyFault = nil
            } else if stuck.canHit(candidate) {
                stuck.countStickyRequest()
                changes.note(.fault, stuck.id)
                return stuck
            }
        }
        var parts = RequestParts(candidate.request)
        for fault in faults where fault.isForRequests {
            guard fault.match.matches(candidate, &parts), fault.canHit(candidate),
                countMatch(fault, candidate.token, &memory, at: now)
            else { continue }
            if fault.plan.isSticky { memory.stickyFault = fault }
            return fault
        }
        return nil
    }

    /// The first fault that hits a new connection.
    ///
    /// - Parameter others: returns the number of other connections, for a connection limit.
    package mutating func firstOpeningFault(isTLS: Bool, others: () -> Int, at now: Timestamp) -> Fault? {
        var memory = FaultMemory()
        for fault in faults {
            let applies =
                switch fault.plan.opening {
                case nil: false
                case .handshake: isTLS
                case .connectionLimit(let limit): others() >= limit
                case .delay, .streamLimit: true
                }
            if applies, countMatch(fault, nil, &memory, at: now) { return fault }
        }
        return nil
    }

    /// The first fault that hits a connection which has been idle for this long.
    package mutating func firstIdleFault(after milliseconds: UInt64, _ memory: inout FaultMemory, at now: Timestamp)
        -> Fault?
    {
        for fault in faults {
            if let idle = fault.idle, milliseconds >= idle, countMatch(fault, nil, &memory, at: now) { return fault }
        }
        return nil
    }
}

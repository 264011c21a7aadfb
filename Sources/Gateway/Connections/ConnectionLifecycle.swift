/// The phases of a connection up to its end. A value without I/O: the connection reports what happened, and carries out
/// the returned action.
struct ConnectionLifecycle {
    /// What a fault does to a connection as a whole.
    enum Termination { case blackHole, reset }

    enum Action: Equatable {
        case nothing
        case close
        /// Send a TCP reset. Unsent output is lost.
        case reset
    }

    private enum Phase: Equatable {
        case open
        /// A fault ends the connection when earlier answers are sent.
        case terminating(Termination)
        /// A fault keeps the connection open without reading or writing.
        case dead
        /// No new output is produced, but earlier output is still being sent.
        case ending
        /// All output is sent. Input is discarded until the peer ends too.
        case lingering(since: UInt64)
        case closed
    }

    private var phase = Phase.open
    private var peerHasEnded = false

    /// Milliseconds that the peer has to close its side after ours. Closing at once could destroy output that it has
    /// not read yet.
    private static let lingerTime: UInt64 = 1000

    /// Whether input is still processed.
    var readsInput: Bool { if case .open = phase { true } else { false } }

    /// Whether output is still produced and sent.
    var writesOutput: Bool {
        switch phase {
        case .open, .terminating: true
        case .dead, .ending, .lingering, .closed: false
        }
    }

    var isDead: Bool { phase == .dead }

    mutating func faultDecided(_ termination: Termination) {
        if phase == .open { phase = .terminating(termination) }
    }

    /// The transport has all earlier answers, so a termination by a fault may take effect.
    mutating func outputFlushed() -> Action {
        guard case .terminating(let termination) = phase else { return .nothing }
        phase = .dead
        return termination == .reset ? .reset : .nothing
    }

    mutating func peerEnded() -> Action {
        peerHasEnded = true
        return isDead ? .close : .nothing
    }

    /// No more output will follow. Returns false if that was known already.
    mutating func endBegan() -> Bool {
        switch phase {
        case .open, .terminating, .dead:
            phase = .ending
            return true
        case .ending, .lingering, .closed: return false
        }
    }

    /// The transport has sent output; `pending` bytes are still waiting.
    mutating func outputDrained(pending: Int, at now: UInt64) -> Action {
        switch phase {
        case .open, .terminating, .dead, .closed: return .nothing
        case .ending:
            guard pending == 0 else { return .nothing }
            phase = .lingering(since: now)
        case .lingering: break
        }
        return peerHasEnded ? .close : .nothing
    }

    /// The action if the peer has been silent for too long; nil if the channel decides.
    func timePassed(at now: UInt64, isStalled: Bool) -> Action? {
        switch phase {
        case .open, .terminating: nil
        case .dead, .closed: .nothing
        case .ending: isStalled ? .reset : .nothing
        case .lingering(let since): now - since > Self.lingerTime ? .close : .nothing
        }
    }

    /// Returns false if it was closed already.
    mutating func closed() -> Bool {
        defer { phase = .closed }
        return phase != .closed
    }
}

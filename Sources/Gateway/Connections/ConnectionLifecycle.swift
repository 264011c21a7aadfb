/// How far a connection is from its end. A value without I/O: the connection reports what has happened, and does the
/// action that comes back.
struct ConnectionLifecycle {
    /// What a fault does to a connection as a whole.
    enum Termination { case blackHole, reset }

    enum Action: Equatable {
        case nothing
        case close
        /// The peer gets a TCP reset, and what is unsent is lost.
        case reset
    }

    private enum Phase: Equatable {
        case open
        /// A fault ends the connection as soon as earlier answers are out.
        case condemned(Termination)
        /// A fault left the connection open and dead: nothing is read or written.
        case dead
        /// Nothing new is written; earlier output is still going out.
        case ending
        /// All output is out. Input is thrown away until the peer has ended too.
        case lingering(since: UInt64)
        case closed
    }

    private var phase = Phase.open
    private var peerHasEnded = false

    /// Milliseconds that a peer may take to end after us. Closing at once could reset what it has not read yet.
    private static let lingerTime: UInt64 = 1000

    /// Whether input is still looked at.
    var readsInput: Bool { if case .open = phase { true } else { false } }

    /// Whether output is still made and sent.
    var writesOutput: Bool {
        switch phase {
        case .open, .condemned: true
        case .dead, .ending, .lingering, .closed: false
        }
    }

    var isDead: Bool { phase == .dead }

    mutating func faultDecided(_ termination: Termination) {
        if phase == .open { phase = .condemned(termination) }
    }

    /// Everything that was answered is with the transport: a fault may take effect now.
    mutating func outputFlushed() -> Action {
        guard case .condemned(let termination) = phase else { return .nothing }
        phase = .dead
        return termination == .reset ? .reset : .nothing
    }

    mutating func peerEnded() -> Action {
        peerHasEnded = true
        return isDead ? .close : .nothing
    }

    /// We have nothing more to say. False if that was known before.
    mutating func endBegan() -> Bool {
        switch phase {
        case .open, .condemned, .dead:
            phase = .ending
            return true
        case .ending, .lingering, .closed: return false
        }
    }

    /// The transport has taken output; this much is still waiting.
    mutating func outputDrained(pending: Int, at now: UInt64) -> Action {
        switch phase {
        case .open, .condemned, .dead, .closed: return .nothing
        case .ending:
            guard pending == 0 else { return .nothing }
            phase = .lingering(since: now)
        case .lingering: break
        }
        return peerHasEnded ? .close : .nothing
    }

    /// Nil if the protocol on the connection decides about a silent peer.
    func timePassed(at now: UInt64, isStalled: Bool) -> Action? {
        switch phase {
        case .open, .condemned: nil
        case .dead, .closed: .nothing
        case .ending: isStalled ? .reset : .nothing
        case .lingering(let since): now - since > Self.lingerTime ? .close : .nothing
        }
    }

    /// False if it was closed before.
    mutating func closed() -> Bool {
        defer { phase = .closed }
        return phase != .closed
    }
}
